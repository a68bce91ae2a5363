import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { volume } from '@fibre/testing/volume';
import { journeys } from './journey.js';
import { createNodes } from './setup/places.js';
import type { Stack } from './setup/stack.js';

/** After how many milliseconds the first responses arrive, then again from the start: in the opposite order, mixed, in order. */
const ORDERS = volume(
  [[240, 160, 80, 0]],
  [
    [240, 160, 80, 0],
    [80, 240, 0, 160],
    [0, 80, 160, 240],
  ],
);
/** On a busy machine, a page may give up waiting for its parts. */
const TRIES = 3;

/** The paths of all pages that load something, with records on them. */
async function pathsWithRecords(stack: Stack, width: number): Promise<string[]> {
  const partner_id = crypto.randomUUID();
  await stack.api('PUT', `/api/v2/sys/isps/${partner_id}/`, { name: `Net of ${width}`, isp_tenant: 'isp.demo' });
  const relation = await createNodes(stack, `Steady ${width}`, 'prenodes', [{ center: '48.2, 16.3', token: 'operation', units: 3 }]);
  await createNodes(stack, `Merged ${width}`, 'nodes', [{ center: '48.2, 16.4', token: 'operation', address: 'Hauptplatz 1' }]);
  const [entity, announced] = [crypto.randomUUID(), crypto.randomUUID()];
  const put = (body: object) => stack.api('PUT', '/api/v2/sys/events/', body);
  const sys_attributes = { partner_id, article_codes: ['FIBRE-100'], option82: 'OLT 1' };
  await put({ entity_id: entity, event_type: 'activation', event_at: '2026-01-02T12:00:00+01:00', sys_attributes });
  await put({ entity_id: announced, event_type: 'notification', event_at: '2026-01-02T12:00:00+01:00' });
  const { webhook_id } = await stack.api<{ webhook_id: string }>('POST', '/v2/cov/webhooks/', {
    url: 'https://receiver.example/',
    feed: 'nodes',
    enabled: false,
  });
  return [
    '',
    `relations/${relation}`,
    ...['filters', 'list', 'files', 'bulk'].map((panel) => `coverage?target=prenodes&relation_id=${relation}&panel=${panel}`),
    'coverage',
    'coverage?panel=search&center=48.2%2C16.4',
    'events',
    `events?partner_id=${partner_id}`,
    'entities',
    `entities?partner_id=${partner_id}&state=active`,
    'entities/new',
    `entities/${entity}`,
    `entities/${announced}`,
    `entities/${entity}/record?type=update`,
    'isps',
    `isps/${partner_id}`,
    'lines',
    'billing',
    `billing?period=2026-01&partner_id=${partner_id}`,
    `webhooks/nodes/${webhook_id}`,
  ];
}

/** Makes a page collect what moves although the person has done nothing (Layout Instability API), with its places before and after. */
const COLLECT = `
  globalThis.moved = [];
  const place = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ');
  new PerformanceObserver((list) => {
    for (const { node, previousRect, currentRect } of list.getEntries().flatMap(({ sources }) => sources))
      moved.push(place(previousRect) + ' -> ' + place(currentRect) + ': ' + (node?.outerHTML ?? node?.textContent ?? '').slice(0, 100));
  }).observe({ type: 'layout-shift', buffered: true });`;

journeys('steady pages', {
  'nothing that is shown moves while the rest of a page arrives, in whatever order': async (traveller) => {
    const { portal, page, stack, width } = traveller;
    await portal.open();
    await page.addInitScript(COLLECT);
    const movedOn = async (path: string): Promise<string[]> => {
      await page.goto(portal.url + path);
      await portal.arrive();
      await page.waitForLoadState('networkidle');
      return page.evaluate<string[]>('moved');
    };
    const paths = await pathsWithRecords(stack, width);
    for (const order of ORDERS) {
      let requests = 0;
      await page.route(/\/v2\/(cov|sys)\/(?!portal\/|tiles\/)/, async (route) => {
        await sleep(order[requests++ % order.length]);
        await route.continue();
      });
      for (const path of paths) {
        let moved: string[] = [];
        for (let tries = 0; tries === 0 || (tries < TRIES && moved.length > 0); tries++) moved = await movedOn(path);
        assert.deepEqual([path, moved], [path, []]);
      }
      await page.unrouteAll({ behavior: 'wait' });
    }
  },
});
