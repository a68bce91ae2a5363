import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { BASE } from '../configuration.js';
import { defineTexts, language } from '../texts.js';

const texts = defineTexts({
  signedOut: ['You are signed out', 'Sie sind abgemeldet'],
  close: ['You can close this window.', 'Sie können dieses Fenster schließen.'],
  signIn: ['Sign in', 'Anmelden'],
  failed: ['The portal could not start', 'Das Portal konnte nicht starten'],
  failedWhy: [
    'Sign-in was not completed, or part of the portal could not be reached. Please try again.',
    'Die Anmeldung wurde nicht abgeschlossen, oder ein Teil des Portals ist nicht erreichbar. Bitte versuchen Sie es erneut.',
  ],
});

/** A page without a session: one sentence and one link. */
function OutsidePage({ title, action, children }: { title: string; action: string; children: ComponentChildren }) {
  useEffect(() => {
    document.documentElement.lang = language.value;
    document.title = `${title} · Open Access Fibre`;
  }, [title]);
  return (
    <main class="outside">
      <h1>{title}</h1>
      {children}
      <a class="button primary" href={BASE}>
        {action}
      </a>
    </main>
  );
}

export function SignedOutPage() {
  const t = texts();
  return (
    <OutsidePage title={t.signedOut} action={t.signIn}>
      <p>{t.close}</p>
    </OutsidePage>
  );
}

export function StartFailedPage() {
  const t = texts();
  return (
    <OutsidePage title={t.failed} action={t.again}>
      <p>{t.failedWhy}</p>
    </OutsidePage>
  );
}
