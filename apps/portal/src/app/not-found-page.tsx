import { page } from '../configuration.js';
import { defineTexts } from '../texts.js';
import { Page } from '../ui/page.js';

const texts = defineTexts({
  title: ['Page not found', 'Diese Seite gibt es nicht'],
  noAccess: ['Your account may not open this page', 'Ihr Konto darf diese Seite nicht öffnen'],
  noAccessWhy: ['If you need it, ask your administrator for access.', 'Wenn Sie sie brauchen, bitten Sie Ihren Administrator um Zugriff.'],
  home: ['Go to the overview', 'Zur Übersicht'],
});

export function NotFoundPage() {
  const t = texts();
  return (
    <Page title={t.title}>
      <a href={page('')}>{t.home}</a>
    </Page>
  );
}

/** An existing page that this person may not open. */
export function NoAccessPage() {
  const t = texts();
  return (
    <Page title={t.noAccess}>
      <p>{t.noAccessWhy}</p>
      <a href={page('')}>{t.home}</a>
    </Page>
  );
}
