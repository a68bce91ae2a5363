import { CopyButton } from '../../ui/copy-button.js';
import { Section } from '../../ui/section.js';
import { texts } from './webhooks.js';

/** A new secret, which is shown this once. */
export function Secret({ secret, isRotated = false }: { secret: string; isRotated?: boolean }) {
  const t = texts();
  return (
    <Section title={t.secret} why={isRotated ? `${t.secretWhy} ${t.secretRotated}` : t.secretWhy}>
      <div class="to-copy">
        <code>{secret}</code>
        <CopyButton what={t.secret} value={secret} />
      </div>
    </Section>
  );
}
