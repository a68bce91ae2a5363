import { useState } from 'preact/hooks';
import { defineTexts } from '../texts.js';
import { Dialog } from '../ui/dialog.js';
import { useApp } from '../session/context.js';

const texts = defineTexts({
  title: ['Your session has ended', 'Ihre Sitzung ist abgelaufen'],
  explanation: [
    'Sign in again in a small window. What you have typed stays here.',
    'Melden Sie sich in einem kleinen Fenster erneut an. Ihre Eingaben bleiben hier erhalten.',
  ],
  signIn: ['Sign in again', 'Erneut anmelden'],
  notNow: ['Not now', 'Nicht jetzt'],
  failed: [
    'Sign-in was not completed. If no window opened, allow pop-up windows for this page.',
    'Die Anmeldung wurde nicht abgeschlossen. Falls sich kein Fenster geöffnet hat, erlauben Sie dieser Seite Pop-up-Fenster.',
  ],
});

/** Asks for a new sign-in without leaving the page. */
export function SessionEnded() {
  const { session } = useApp();
  const [hasFailed, setFailed] = useState(false);
  if (!session.hasEnded.value) return null;
  const t = texts();
  const signIn = () => {
    setFailed(false);
    session.signInAgain().catch(() => setFailed(true));
  };
  return (
    <Dialog title={t.title} onClose={() => session.stayOut()}>
      <p>{t.explanation}</p>
      {hasFailed && (
        <p class="error" role="alert">
          {t.failed}
        </p>
      )}
      <div class="actions">
        <button type="button" class="primary" onClick={signIn}>
          {t.signIn}
        </button>
        <button type="button" onClick={() => session.stayOut()}>
          {t.notNow}
        </button>
      </div>
    </Dialog>
  );
}
