// Takes the screenshots of docs/portal from the real portal: npx nx screenshots portal
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { WebhookReceiver } from '@fibre/testing';
import { Temporal } from 'temporal-polyfill';
import { launchChromium, type Page } from '../../../../extra/browser.js';
import { CoveragePage } from './pages/coverage-page.js';
import { PortalPage } from './pages/portal-page.js';
import { addNodes, createNodes, PLACES } from './setup/places.js';
import { Stack } from './setup/stack.js';

const FOLDER = join(import.meta.dirname, '../../../../docs/portal');
const SIZE = { width: 1280, height: 800 };
const SEARCH = 'coverage?panel=search&center=48.2108%2C+16.3575&search_radius=5000&limit=7&view=10.5/48.2108/16.3575';

/** A picture: where it is taken, and what is done there before. */
type Scene = [path: string, act?: (portal: PortalPage) => Promise<void>];

const [stack, browser, receiver] = await Promise.all([Stack.start(), launchChromium(), new WebhookReceiver().start()]);
try {
  await mkdir(FOLDER, { recursive: true });
  const scenes = await prepare();
  await takePictures('anna@ano.demo', 'light', scenes);
  await takePictures('ivan@isp.demo', 'dark', { 'isp-search': [SEARCH], lines: ['lines'] });
} finally {
  await browser.close();
  await receiver.stop();
  await stack.stop();
}

async function takePictures(person: string, colorScheme: 'light' | 'dark', scenes: Record<string, Scene>): Promise<void> {
  const context = await browser.newContext({ viewport: SIZE, locale: 'en-GB', colorScheme, timezoneId: 'Europe/Vienna' });
  const portal = new PortalPage(await context.newPage(), stack.portalUrl);
  await portal.open('', person);
  for (const [name, [path, act]] of Object.entries(scenes)) {
    await portal.page.goto(portal.url + path);
    await portal.arrive();
    await settled(portal.page);
    await act?.(portal);
    await portal.page.screenshot({ path: join(FOLDER, `${name}.png`) });
  }
  await context.close();
}

/** Creates content for each page. @returns the pictures, keyed by their names */
async function prepare(): Promise<Record<string, Scene>> {
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
    await stack.api('POST', '/v2/cov/nodes/?target=prenodes', node);
  }
  const places = PLACES.map((place, index) => ({ ...place, customer_reference: `AT-${index + 1}` }));
  const austria = await createNodes(stack, 'Austria', 'nodes', places);
  const finished = places.slice(0, 40).map((place) => ({ ...place, token: 'operation' }));
  await addNodes(stack, austria, 'prenodes', finished);
  const isps: string[] = [];
  for (const isp of [{ name: 'Donau Internet' }, { name: 'Mur Net', isp_tenant: 'isp.demo' }])
    isps.push((await stack.api<{ partner_id: string }>('POST', '/api/v2/sys/isps/', { ...isp, email: 'noc@isp.example' })).partner_id);
  const entity = '0192d3a5-7c10-7f3a-9b1e-5a4c1f2e6d01';
  await recordTimeline(entity, isps[0]!, isps[1]!);
  await recordYear(isps);
  const webhook = { url: receiver.urlOf(), feed: 'events', description: 'CRM' };
  receiver.secrets.push((await stack.api<{ secret: string }>('POST', '/api/v2/sys/webhooks/', webhook)).secret);
  return {
    overview: [''],
    find: ['', typeInFind],
    coverage: ['coverage'],
    list: [`coverage?panel=list&relation_id=${austria}`, selectRows],
    search: [SEARCH],
    import: ['coverage?target=prenodes&panel=files', checkFile],
    merge: [`coverage?panel=bulk&relation_id=${austria}&view=6.5/47.6/13.6`],
    relation: [`relations/${ids[0]}`],
    entities: ['entities'],
    entity: [`entities/${entity}`],
    events: ['events'],
    billing: ['billing?period=2026-03'],
    isp: [`isps/${isps[0]}`],
    webhooks: ['webhooks'],
  };
}

/** Records the events of an entity that changes its ISP. */
async function recordTimeline(entity_id: string, first: string, second: string): Promise<void> {
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

/** Records activations, and a few deactivations, in each month of a year. */
async function recordYear(isps: readonly string[]): Promise<void> {
  const first = Temporal.Now.plainDateISO('Europe/Vienna').with({ day: 1 });
  for (let month = 11; month > 0; month--) {
    const on = (day: number): string =>
      first
        .subtract({ months: month })
        .with({ day })
        .toZonedDateTime({ timeZone: 'Europe/Vienna', plainTime: '09:30' })
        .toString({ smallestUnit: 'second', timeZoneName: 'never' });
    for (let nth = 0; nth < 14 - month; nth++) {
      const entity_id = crypto.randomUUID();
      const sys_attributes = {
        partner_id: isps[nth % isps.length],
        article_codes: [nth % 3 ? 'FIBRE-300' : 'FIBRE-1000'],
        option82: `eth 0/${month}/${nth}:100`,
      };
      await stack.api('PUT', '/api/v2/sys/events/', { entity_id, event_type: 'activation', event_at: on(1 + nth), sys_attributes });
      if (nth % 5 === 4)
        await stack.api('PUT', '/api/v2/sys/events/', { entity_id, event_type: 'deactivation', event_at: on(20 + (nth % 7)) });
    }
  }
}

/** Types the beginning of several names. */
async function typeInFind({ page }: PortalPage): Promise<void> {
  await page.getByRole('combobox', { name: 'Find a record' }).pressSequentially('inn');
  await page.getByRole('search').getByRole('option', { name: 'Innsbruck' }).waitFor();
}

/** Selects three nodes, whose values could then be changed. */
async function selectRows(portal: PortalPage): Promise<void> {
  const { side } = CoveragePage.of(portal);
  for (const row of [1, 2, 4]) await side.getByRole('row').nth(row).getByRole('checkbox').check();
  await side.getByLabel('Stage').selectOption('operation');
}

/** Checks a file with two rejected rows. */
async function checkFile(portal: PortalPage): Promise<void> {
  const coverage = CoveragePage.of(portal);
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
