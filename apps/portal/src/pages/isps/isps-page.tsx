import { defineTexts } from '../../texts.js';
import { Page } from '../../ui/page.js';

const texts = defineTexts({ title: 'ISPs' }, { title: 'ISPs' });

export function IspsPage() {
  const t = texts();
  return <Page title={t.title}>{null}</Page>;
}
