import { page } from '../configuration.js';
import { defineTexts } from '../texts.js';
import { Page } from '../ui/page.js';

const texts = defineTexts(
  { title: 'There is no such page', home: 'To the overview' },
  { title: 'Diese Seite gibt es nicht', home: 'Zur Übersicht' },
);

export function NotFoundPage() {
  const t = texts();
  return (
    <Page title={t.title}>
      <a href={page('')}>{t.home}</a>
    </Page>
  );
}
