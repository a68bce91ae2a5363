import { defineTexts } from '../../texts.js';
import { Page } from '../../ui/page.js';

const texts = defineTexts({ title: 'Entities' }, { title: 'Entitäten' });

export function EntitiesPage() {
  const t = texts();
  return <Page title={t.title}>{null}</Page>;
}
