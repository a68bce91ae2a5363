import { CopyButton } from '../../ui/copy-button.js';
import { texts } from './webhooks.js';

/** A new secret, which is shown this once. */
export function Secret({ secret, isRotated = false }: { secret: string; isRotated?: boolean }) {
  const t = texts();
  return (
    <section class="section">
      <div>
        <h2>{t.secret}</h2>
        <p class="fine">{t.secretWhy}</p>
        {isRotated && <p class="fine">{t.secretRotated}</p>}
      </div>
      <div class="to-copy">
        <code>{secret}</code>
        <CopyButton what={t.secret} value={secret} />
      </div>
    </section>
  );
}
