import { useAction } from '../hooks/use-action.js';
import { defineTexts } from '../texts.js';
import { Dialog } from '../ui/dialog.js';
import { useApp } from '../session/context.js';
import { Button } from '../ui/button.js';

const texts = defineTexts({
  title: ['Your session has ended', 'Ihre Sitzung ist abgelaufen'],
  explanation: ['Sign in again in a small window. Your input is kept.', 'Melden Sie sich im kleinen Fenster an. Ihre Eingaben bleiben.'],
  signIn: ['Sign in again', 'Erneut anmelden'],
  notNow: ['Not now', 'Nicht jetzt'],
  failed: ['Sign-in was not completed. Allow pop-up windows.', 'Anmeldung nicht abgeschlossen. Erlauben Sie Pop-up-Fenster.'],
});

/** Asks the person to sign in again without leaving the page. */
export function SessionEnded() {
  const { session } = useApp();
  const { error, run } = useAction();
  if (!session.hasEnded.value) return null;
  const t = texts();
  return (
    <Dialog title={t.title} onClose={() => session.stayOut()}>
      <p>{t.explanation}</p>
      {error !== undefined && (
        <p class="error" role="alert">
          {t.failed}
        </p>
      )}
      <div class="actions">
        <Button label={t.signIn} look="primary" onClick={() => void run(() => session.signInAgain())} />
        <Button label={t.notNow} onClick={() => session.stayOut()} />
      </div>
    </Dialog>
  );
}
