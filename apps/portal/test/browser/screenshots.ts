// Takes the screenshots of docs/portal from the real portal: npx nx screenshots portal
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launchChromium } from './setup/chromium.js';
import { CoveragePage } from './pages/coverage-page.js';
import { PortalPage } from './pages/portal-page.js';
import { addNodes, createNodes, PLACES } from './setup/places.js';
import { Stack } from './setup/stack.js';

const FOLDER = join(import.meta.dirname, '../../../../docs/portal');
const SIZE = { width: 1120, height: 700 };

const [stack, browser] = await Promise.all([Stack.start(), launchChromium()]);
try {
  await mkdir(FOLDER, { recursive: true });
  const pages = await prepare(stack);
  for (const theme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ viewport: SIZE, locale: 'en-GB', colorScheme: theme, timezoneId: 'Europe/Vienna' });
    const portal = new PortalPage(await context.newPage(), stack.portalUrl);
    await portal.open();
    for (const [name, path] of Object.entries(pages)) {
      await portal.page.goto(portal.url + path);
      await portal.arrive();
      await settled(portal.page);
      await portal.page.screenshot({ path: join(FOLDER, `${name}-${theme}.png`) });
    }
    await showImport(CoveragePage.of(portal));
    await portal.page.screenshot({ path: join(FOLDER, `import-${theme}.png`) });
    await context.close();
  }
} finally {
  await browser.close();
  await stack.stop();
}

/** Creates content for each page. @returns the pages, keyed by the name of their screenshot */
async function prepare(stack: Stack): Promise<Record<string, string>> {
  const relations = [
    ['Innere Stadt', 'Stadtnetz Wien', 'Phase 1, from spring on'],
    ['Seestadt Aspern', 'Stadtnetz Wien', ''],
    ['Graz Nord', 'Styria Glas', 'Handover agreed until June'],
    ['Linz Hafen', 'Donau Infrastruktur', ''],
    ['Bregenz', 'Bodensee Netze', ''],
  ] as const;
  const ids: string[] = [];
  for (const [name, pip, comment] of relations) {
    const body = { name, pip, ...(comment && { comment }) };
    ids.push((await stack.api<{ relation_id: string }>('POST', '/v2/cov/relations/', body)).relation_id);
  }
  for (let i = 0; i < 12; i++) {
    const node = { relation_id: ids[0], token: 'operation', center: `48.20${10 + i}, 16.37${10 + i}` };
    await stack.api('POST', `/v2/cov/nodes/?target=${i < 4 ? 'prenodes' : 'nodes'}`, node);
  }
  const austria = await createNodes(stack, 'Austria', 'nodes', PLACES);
  await addNodes(stack, austria, 'prenodes', PLACES.slice(0, 40));
  const isps = [];
  for (const name of ['Donau Internet', 'Mur Net'])
    isps.push((await stack.api<{ partner_id: string }>('POST', '/api/v2/sys/isps/', { name, email: 'noc@isp.example' })).partner_id);
  const entity = '0192d3a5-7c10-7f3a-9b1e-5a4c1f2e6d01';
  await recordTimeline(stack, entity, isps[0]!, isps[1]!);
  return {
    overview: '',
    relations: 'relations',
    'new-relation': 'relations/new',
    relation: `relations/${ids[0]}`,
    coverage: 'coverage',
    search: 'coverage?panel=search&center=48.2108%2C+16.3575&search_radius=5000&limit=7&view=10.5/48.2108/16.3575',
    merge: `coverage?panel=bulk&relation_id=${austria}&view=6.5/47.6/13.6`,
    entities: 'entities?at=2026-03-02T12%3A00%3A00%2B01%3A00',
    entity: `entities/${entity}`,
    'record-event': `entities/${entity}/record?type=update`,
    billing: 'billing',
    month: 'billing?period=2026-03',
    isps: 'isps',
    isp: `isps/${isps[0]}`,
  };
}

/** Records the events of an entity that changes its ISP. */
async function recordTimeline(stack: Stack, entity_id: string, first: string, second: string): Promise<void> {
  const events = [
    ['activation', '2026-01-15T09:30:00+01:00', { partner_id: first, article_codes: ['FIBRE-100'], partner_reference: 'ORDER-2026-0042' }],
    ['update', '2026-03-01T00:00:00+01:00', { article_codes: ['FIBRE-300', 'STATIC-IP'] }],
    ['notification', '2026-04-10T02:00:00+02:00', undefined],
    ['deactivation', '2026-05-31T23:59:59+02:00', undefined],
    ['activation', '2026-07-01T00:00:00+02:00', { partner_id: second, article_codes: ['FIBRE-1000'] }],
  ] as const;
  for (const [event_type, event_at, sys_attributes] of events)
    await stack.api('PUT', '/api/v2/sys/events/', { entity_id, event_type, event_at, ...(sys_attributes && { sys_attributes }) });
}

/** Checks a file with two rejected rows. */
async function showImport(coverage: CoveragePage): Promise<void> {
  await coverage.page.goto(`${coverage.url}coverage?target=prenodes&panel=files`);
  await coverage.arrive();
  await settled(coverage.page);
  const rows = PLACES.slice(0, 500).map(({ center, token }, index) => `X-${index};${index % 300 === 7 ? `1${center}` : center};${token}`);
  await coverage.chooseFile('spring.csv', Buffer.from(['customer_reference;center;token', ...rows].join('\n')));
  await coverage.side.getByLabel('Relation', { exact: true }).selectOption({ label: 'Graz Nord' });
  await coverage.side.getByRole('button', { name: 'Check only' }).click();
  await coverage.side.getByText('Nothing was imported').waitFor();
  await coverage.side.getByText('Import the valid rows').evaluate((line) => line.scrollIntoView());
}

/** Waits until nothing is loading or moving. */
async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.locator('.loading').first().waitFor({ state: 'detached' });
  await page.locator('[data-map-state="loading"]').waitFor({ state: 'detached' });
}
