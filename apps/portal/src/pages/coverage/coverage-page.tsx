import { defineTexts } from '../../texts.js';
import { Page } from '../../ui/page.js';

const texts = defineTexts({ title: 'Coverage' }, { title: 'Abdeckung' });

export function CoveragePage() {
  const t = texts();
  return <Page title={t.title}>{null}</Page>;
}
