import { page } from '../configuration.js';
import { defineTexts } from '../texts.js';
import { Page } from '../ui/page.js';

const texts = defineTexts({
  notFound: ['Page not found', 'Diese Seite gibt es nicht'],
  noAccess: ['You do not have access to this page', 'Sie haben keinen Zugriff auf diese Seite'],
  noAccessWhy: ['If you need it, ask your administrator for access.', 'Wenn Sie sie brauchen, bitten Sie Ihren Administrator um Zugriff.'],
  home: ['Go to the overview', 'Zur Übersicht'],
});

/** Shown if the page does not exist, or if this person may not open it. */
const missing = (title: 'notFound' | 'noAccess', why?: 'noAccessWhy') => () => {
  const t = texts();
  return (
    <Page title={t[title]}>
      {why && <p>{t[why]}</p>}
      <a href={page('')}>{t.home}</a>
    </Page>
  );
};
export const NotFoundPage = missing('notFound');
export const NoAccessPage = missing('noAccess', 'noAccessWhy');
