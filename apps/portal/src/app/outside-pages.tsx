import { useEffect } from 'preact/hooks';
import { BASE } from '../configuration.js';
import { defineTexts } from '../texts.js';

const texts = defineTexts({
  signedOut: ['You are signed out', 'Sie sind abgemeldet'],
  signedOutWhy: ['You can close this window.', 'Sie können dieses Fenster schließen.'],
  signedOutNext: ['Sign in', 'Anmelden'],
  failed: ['The portal could not start', 'Das Portal konnte nicht starten'],
  failedWhy: ['Sign-in was not completed, or the portal is not reachable.', 'Anmeldung nicht abgeschlossen, oder Portal nicht erreichbar.'],
  failedNext: ['Try again', 'Erneut versuchen'],
});

/** A page without a session: one sentence and one link. */
export function OutsidePage({ why }: { why: 'signedOut' | 'failed' }) {
  const t = texts();
  useEffect(() => {
    document.title = `${t[why]} · Open Access Fibre`;
  }, []);
  return (
    <main class="outside">
      <h1>{t[why]}</h1>
      <p>{t[`${why}Why`]}</p>
      <a class="button primary" href={BASE}>
        {t[`${why}Next`]}
      </a>
    </main>
  );
}
