import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { volume } from '@fibre/testing/volume';
import type { Page } from '../../../../extra/browser.js';
import { atOneWidth, journeys, type Traveller } from './journey.js';
import { CoveragePage } from './pages/coverage-page.js';
import { addNodes, createNodes, PLACES } from './setup/places.js';
import type { Stack } from './setup/stack.js';

interface Can {
  node_id: string;
  center: string;
  token: string;
  status: string;
}
type Result = Can & { distance: number; quality: string };

const TOTAL = '2,266 access nodes in view';
const CITY_HALL = '48.2108, 16.3575';

let loaded: Promise<string> | undefined;

/** Loads every Austrian place from the tour as a production node, once for all the tests that read them. @returns their relation_id */
function loadPlaces(stack: Stack): Promise<string> {
  loaded ??= createNodes(stack, 'Austria', 'nodes', PLACES);
  return loaded;
}

async function openCoverage({ portal, stack }: Traveller, query = '', email?: string): Promise<CoveragePage> {
  await loadPlaces(stack);
  const coverage = CoveragePage.of(portal);
  await coverage.open(`coverage${query}`, email);
  await coverage.settle();
  return coverage;
}

/** Compares the page with the API's search results, in order. */
async function expectResults(coverage: CoveragePage, stack: Stack, query: string): Promise<void> {
  const expected = await stack.api<Result[]>('GET', `/v2/cov/search?${query}`);
  assert.ok(expected.length > 0);
  await coverage.side.getByText(/access nodes? found/).waitFor();
  const shown = await coverage.results.allInnerTexts();
  const number = new Intl.NumberFormat('en');
  assert.equal(shown.length, expected.length);
  for (const [index, { distance, quality, center }] of expected.entries()) {
    const words = shown[index]!.split(/\s+/).join(' ');
    assert.ok(words.startsWith(`Quality ${quality} ${number.format(distance)} m ${center}`), words);
  }
}

/** Number of bytes of background and node tiles that the page has received. */
const mapDataOf = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    return entries.filter(({ name }) => name.endsWith('.mvt')).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
  });

/** What a page holds after its garbage is collected. */
async function heldBy(page: Page): Promise<{ megabytes: number; elements: number }> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('HeapProfiler.collectGarbage');
  await devTools.send('Performance.enable');
  const { metrics } = await devTools.send('Performance.getMetrics');
  await devTools.detach();
  const valueOf = (name: string): number => metrics.find((metric) => metric.name === name)!.value;
  return { megabytes: valueOf('JSHeapUsedSize') / 1_000_000, elements: valueOf('Nodes') };
}

journeys('coverage', {
  'the map shows all places in Austria; filters narrow them down and are kept in the URL': async (traveller) => {
    const coverage = await openCoverage(traveller);
    await coverage.sees(TOTAL);
    await traveller.checkAccessibility();

    await coverage.filter('Stage', 'planned');
    await coverage.sees('756 access nodes in view');
    assert.equal(new URL(traveller.page.url()).searchParams.get('token'), 'planned');
    await coverage.filter('Stage', 'All');
    await coverage.sees(TOTAL);
    await coverage.filter('Relation', 'Austria');
    await coverage.sees(TOTAL);
    await coverage.filter('Status', 'suspended');
    await coverage.sees('0 access nodes in view');
    await coverage.side.getByRole('button', { name: 'Remove all filters' }).click();
    await coverage.sees(TOTAL);
    await coverage.choosePanel('List');
    await coverage.side.locator('td .opens').first().waitFor();
    // Only the panel scrolls.
    if (traveller.width > 800) assert.ok(await traveller.page.evaluate(() => document.documentElement.scrollHeight <= innerHeight));
    await coverage.chooseCollection('Pre-production');
    await coverage.sees('0 access nodes in view');
  },

  "a click on the map searches there, with the API's distances and qualities": async (traveller) => {
    const coverage = await openCoverage(traveller, '?view=10/48.21080/16.35750');
    await coverage.choosePanel('Search');
    await coverage.search({ center: CITY_HALL, radius: '5000', limit: '7' });
    await expectResults(coverage, traveller.stack, `center=${encodeURIComponent(CITY_HALL)}&search_radius=5000&limit=7`);
    await coverage.settle();
    await traveller.checkAccessibility();

    await coverage.clickMap(20, 10);
    await traveller.page.waitForFunction((before) => new URLSearchParams(location.search).get('center') !== before, CITY_HALL);
    const { searchParams } = new URL(traveller.page.url());
    await traveller.page.waitForFunction(
      (center) => document.querySelector<HTMLInputElement>('input[name=center]')?.value === center,
      searchParams.get('center'),
    );
    await expectResults(coverage, traveller.stack, `center=${encodeURIComponent(searchParams.get('center')!)}&search_radius=5000&limit=7`);
  },

  "a click on the map searches with the radius and limit of the form, which have the API's defaults": atOneWidth(async (traveller) => {
    const coverage = await openCoverage(traveller, '?panel=search&view=10/48.21080/16.35750');
    assert.equal(await coverage.side.getByLabel('Radius in metres').inputValue(), '100');
    assert.equal(await coverage.side.getByLabel('Maximum results').inputValue(), '5');
    await coverage.side.getByLabel('Radius in metres').fill('2000');
    await coverage.side.getByLabel('Maximum results').fill('3');
    await coverage.clickMap(5, 5);
    await traveller.page.waitForURL((url) => url.searchParams.has('center'));
    const { searchParams } = new URL(traveller.page.url());
    assert.deepEqual([searchParams.get('search_radius'), searchParams.get('limit')], ['2000', '3']);
    await coverage.side.getByText(/access nodes? found|no access nodes within/).waitFor();
    assert.equal(await coverage.place.inputValue(), searchParams.get('center'));
    // A radius applies as soon as it is entered.
    await coverage.side.getByLabel('Radius in metres').fill('3000');
    await coverage.side.getByLabel('Radius in metres').press('Tab');
    await coverage.side.getByText('within 3,000 m').waitFor();
    assert.equal(new URL(traveller.page.url()).searchParams.get('search_radius'), '3000');
  }),

  'a search by the name of a place, which the gazetteer suggests, shows where it is': async (traveller) => {
    const coverage = await openCoverage(traveller, '', 'ivan@isp.demo');
    await coverage.place.fill('kirchberg am w');
    const names = coverage.side.locator('datalist option');
    await names.nth(2).waitFor({ state: 'attached' });
    const suggested = await names.evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value));
    assert.deepEqual(suggested, [
      'Kirchberg am Wechsel, Lower Austria, Austria',
      'Kirchberg am Wagram, Lower Austria, Austria',
      'Kirchberg am Walde, Lower Austria, Austria',
    ]);
    await traveller.checkAccessibility();
    const isAt = async (north: number, east: number): Promise<void> => {
      await coverage.place.press('Enter');
      await traveller.page.waitForFunction(
        ([latitude, longitude]) => {
          const [, y, x] = new URLSearchParams(location.search).get('view')?.split('/').map(Number) ?? [];
          return Math.abs(y! - latitude!) < 0.02 && Math.abs(x! - longitude!) < 0.02;
        },
        [north, east],
      );
    };
    await coverage.place.fill(suggested[1]!);
    await isAt(48.43, 15.9);
    await coverage.settle();
    assert.ok(coverage.view().zoom > 12);
    await coverage.place.fill('Wien');
    await isAt(48.21, 16.37);
    await coverage.place.fill('Xyzzy');
    await coverage.place.press('Enter');
    await coverage.side.getByText('No place in the gazetteer begins with this').first().waitFor();
    await traveller.checkAccessibility();
  },

  'a search says what it searched and what it did not understand, and leaves nothing of the one before on the map': atOneWidth(
    async (traveller) => {
      traveller.expects(/422/);
      const coverage = await openCoverage(traveller, '', 'ivan@isp.demo');
      const says = (words: string | RegExp): Promise<void> => coverage.side.getByText(words).first().waitFor();
      const legend = coverage.map.getByRole('list', { name: 'Legend' }).getByText('quality');
      const searched = async (center: string): Promise<void> => coverage.search({ center, radius: '10000' });
      await searched('3550 Langenlois');
      await says('Searched around the middle of Langenlois, Lower Austria, Austria.');
      await says(/^\d+ access nodes found/);
      await legend.first().waitFor();
      await searched('Hauptstraße 1, 3550 Langenlois');
      await says('No node has this address: only the town was searched.');
      await says(/^\d+ access nodes found/);
      await legend.first().waitFor();
      for (const [text, words] of [
        ['Hauptstraße 1, Xyzzyburg', 'The gazetteer has no town "Xyzzyburg".'],
        ['91.5, 16.2', /must be between -90 and 90/],
      ] as const) {
        await searched(text);
        await says(words);
        assert.equal(await coverage.side.getByText(words).count(), 1, text);
        assert.equal(await coverage.side.getByText(/access nodes found|^Searched/i).count(), 0, text);
        await legend.first().waitFor({ state: 'detached' });
      }
      await searched('Hauptstraße 1');
      await says('No node has an address with "Hauptstraße 1". You can also enter a town or coordinates, or click on the map.');
      await searched('3550 Xyzzyburg');
      await says('The gazetteer has no town "Xyzzyburg", and no node has the address ID "3550 Xyzzyburg".');
      await searched('GH-4711/2');
      await says('Searched for the address ID GH-4711/2.');
      await says('No node has the address ID "GH-4711/2".');
      assert.equal(await coverage.side.getByText('No access nodes found').count(), 0);
      await traveller.checkAccessibility();
      await coverage.chooseLanguage('Deutsch');
      await says('Kein Zugangsknoten hat die Adress-ID „GH-4711/2“.');
    },
  ),

  'an address is found by its words, which the portal completes': async (traveller) => {
    const { stack, width } = traveller;
    const address = `Größenweg ${width}a/3, 3550 Langenlois`;
    const relation_id = await createNodes(stack, `Words ${width}`, 'nodes', [{ center: '48.4747, 15.6789', token: 'operation', address }]);
    const coverage = await openCoverage(traveller, '', 'ivan@isp.demo');
    await coverage.place.fill(`groessen ${width} lang`);
    const suggested = coverage.side.getByRole('list', { name: 'Addresses' }).getByRole('button', { name: address });
    await suggested.waitFor();
    await traveller.checkAccessibility();
    await suggested.click();
    await coverage.side.getByText(`Searched for addresses with "${address}".`).waitFor();
    await coverage.side.getByText('1 access node found').first().waitFor();
    await suggested.waitFor({ state: 'detached' });
    assert.equal(await coverage.place.inputValue(), address);
    await coverage.search({ center: `lang grössenweg ${width}` });
    await coverage.side.getByText(`Searched for addresses with "lang grössenweg ${width}".`).waitFor();
    // With the keyboard alone.
    await coverage.place.fill(`GRÖSSENWEG ${width} a/3`);
    await suggested.waitFor();
    await coverage.place.press('Tab');
    await traveller.page.keyboard.press('Enter');
    await coverage.side.getByText(`Searched for addresses with "${address}".`).waitFor();
    // Of more addresses than the service looks through, it says so.
    const street = Array.from({ length: 12 }, (_, door) => ({
      center: `48.4747, 15.67${10 + door}`,
      token: 'operation',
      address: `Uferzeile ${width}/${door + 1}, 3550 Langenlois`,
    }));
    const many = await createNodes(stack, `More ${width}`, 'nodes', street);
    await coverage.place.fill(`uferzeile ${width}`);
    await coverage.side.getByRole('list', { name: 'Addresses' }).getByText('There may be more, or better ones: add a word.').waitFor();
    await coverage.search({ center: `Uferzeile ${width}` });
    await coverage.side.getByText('10 access nodes found There may be more, or better ones: add a word.').first().waitFor();
    await coverage.chooseLanguage('Deutsch');
    await coverage.side.getByText('Vielleicht gibt es noch mehr oder bessere: Ergänzen Sie ein Wort.').first().waitFor();
    await traveller.checkAccessibility();
    await coverage.chooseLanguage('English');
    await coverage.search({ center: `uferzeile ${width} 12 langenlois` });
    await coverage.side.getByText('1 access node found').first().waitFor();
    assert.equal(await coverage.side.getByText('There may be more').count(), 0);
    await stack.api('DELETE', `/v2/cov/nodes?target=nodes&relation_id=${many}`);
    // More words than the service takes find nothing, and are no failure.
    traveller.expects(/422/);
    await coverage.search({ center: 'one two three four five six seven eight nine' });
    await coverage.side.getByText('No place in the gazetteer begins with this').first().waitFor();
    await stack.api('DELETE', `/v2/cov/nodes?target=nodes&relation_id=${relation_id}`);
  },

  'a click where a pixel is kilometres zooms in first; the next one searches': atOneWidth(async (traveller) => {
    const coverage = await openCoverage(traveller, '', 'ivan@isp.demo');
    await coverage.clickMap(20, 20);
    await coverage.status.getByText('Zoomed in. Now click on the exact place.').waitFor();
    await coverage.settle();
    assert.equal(new URL(traveller.page.url()).searchParams.get('center'), null);
    assert.equal(coverage.view().zoom, 11);
    await coverage.clickMap();
    await traveller.page.waitForURL((url) => url.searchParams.has('center'));
  }),

  'where the map shows streets, a grid says how far things are, and a line where the nearest place is': async (traveller) => {
    const coverage = await openCoverage(traveller, '?view=16/48.43150/15.88500');
    await coverage.map.getByText(/^Grid 1\d0 m · \d{3} m west of Kirchberg am Wagram$/).waitFor();
    await coverage.chooseLanguage('Deutsch');
    await coverage.map.getByText(/^Raster 1\d0 m · \d{3} m westlich von Kirchberg am Wagram$/).waitFor();
    await coverage.settle();
    await traveller.checkAccessibility();
  },

  'the first view reads the tile of the world once and little else, and the legend is always there': async (traveller) => {
    const { page, width } = traveller;
    const asked: string[] = [];
    page.on('request', (request) => request.url().includes('/tiles/0/0/0') && asked.push(request.url()));
    await traveller.portal.open('relations');
    const coverage = await openCoverage(traveller);
    await coverage.sees(TOTAL);
    assert.equal(asked.length, 1);
    assert.ok((await mapDataOf(page)) <= 150_000, String(await mapDataOf(page)));
    if (width > 800) await page.setViewportSize({ width: 1440, height: 900 });
    const widths = new Set<number>();
    for (const language of ['English', 'Deutsch']) {
      await coverage.chooseLanguage(language);
      const tabs = coverage.side.getByRole('group', { name: /^(Tools|Werkzeuge)$/ }).getByRole('button');
      for (const tab of await tabs.all()) {
        await tab.click();
        await coverage.map.getByRole('list', { name: /^(Legend|Legende)$/ }).waitFor();
        widths.add((await coverage.side.boundingBox())!.width);
      }
      const tops = await tabs.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
      if (width > 800) assert.equal(new Set(tops).size, 1, language);
    }
    assert.equal(widths.size, 1);
  },

  'the map zooms to a village, or to a single node': async (traveller) => {
    const { stack, page, width } = traveller;
    const village = Array.from({ length: 40 }, (_, i) => ({
      center: `${(47.3 + (i % 8) / 1000).toFixed(4)}, ${(15.1 + i / 10_000).toFixed(4)}`,
      token: 'planned',
    }));
    for (const [name, nodes, words] of [
      ['Village', village, '40 access nodes in view'],
      ['House', village.slice(0, 1), '1 access node in view'],
    ] as const) {
      const relation_id = await createNodes(stack, `${name} ${width}`, 'prenodes', nodes);
      const coverage = await openCoverage(traveller, `?target=prenodes&relation_id=${relation_id}`);
      for (const look of [() => Promise.resolve(), () => coverage.showAll()]) {
        await look();
        await coverage.settle();
        await coverage.sees(words);
        assert.match((await page.locator('.maplibregl-ctrl-scale').textContent()) ?? '', /^[1-5]?\d{2}\sm$/);
      }
      assert.ok((await mapDataOf(page)) <= 120_000);
      await stack.api('DELETE', `/v2/cov/nodes?target=prenodes&relation_id=${relation_id}`);
    }
  },

  'however long somebody pans, zooms and leaves the map and comes back, the page holds no more than before': atOneWidth(
    async (traveller) => {
      const { page } = traveller;
      const coverage = await openCoverage(traveller);
      const { x, y, width, height } = (await coverage.canvas.boundingBox())!;
      const middle = { x: x + width / 2, y: y + height / 2 };
      const held: { megabytes: number; elements: number }[] = [];
      // The first rounds fill the caches of tiles and fonts.
      const [warm, rounds, steps] = [volume(2, 3, 10), volume(4, 8, 60), volume(4, 12)];
      for (let round = 0; round < rounds; round++) {
        for (let step = 0; step < steps; step++) {
          await page.mouse.move(middle.x, middle.y);
          // Out again as far as in.
          await page.mouse.wheel(0, step % 4 < 2 ? -400 : 400);
          await page.mouse.down();
          await page.mouse.move(middle.x + 120 * Math.cos(step), middle.y + 90 * Math.sin(step), { steps: 4 });
          await page.mouse.up();
          await page.waitForTimeout(500);
        }
        await coverage.chooseFromMenu('Entities');
        await coverage.chooseFromMenu('Coverage');
        await coverage.settle();
        await coverage.showAll();
        await coverage.sees(TOTAL);
        held.push(await heldBy(page));
      }
      const most = (of: 'megabytes' | 'elements') => Math.max(...held.slice(0, warm).map((round) => round[of]));
      const after = held.at(-1)!;
      traveller.notes(held.map(({ megabytes, elements }) => `${megabytes.toFixed(1)} MB, ${elements}`).join('; '));
      assert.ok(after.megabytes < most('megabytes') * 1.2 && after.elements < most('elements') * 1.2, traveller.said.join());
    },
  ),

  'a busy service is given as the reason for missing tiles, and they can be loaded again': atOneWidth(async (traveller) => {
    const { page } = traveller;
    traveller.expects(/503/);
    await page.route('**/v2/cov/tiles/**', (route) => route.fulfill({ status: 503, json: { status: 503, code: 'overloaded' } }));
    const coverage = CoveragePage.of(traveller.portal);
    await loadPlaces(traveller.stack);
    await coverage.open('coverage?view=7/48/14');
    await coverage.failure.getByText('The service is busy').waitFor();
    // Later tiles fail too.
    await page.waitForLoadState('networkidle');
    assert.match(await coverage.failure.innerText(), /The service is busy/);
    await page.unroute('**/v2/cov/tiles/**');
    await coverage.failure.getByRole('button', { name: 'Try again' }).click();
    await coverage.failure.waitFor({ state: 'detached' });
    await coverage.showAll();
    await coverage.sees(TOTAL);
  }),

  'a link to a search or to a node shows it, although it says nothing about the map': atOneWidth(async (traveller) => {
    const { stack, page } = traveller;
    const relation_id = await loadPlaces(stack);
    const [node] = await stack.api<Can[]>('GET', `/v2/cov/nodes?relation_id=${relation_id}&_page_size=1`);
    // So that the fit to all nodes would end after the map has shown the search or the node.
    await page.route('**/v2/cov/tiles/**', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      await route.continue();
    });
    for (const [query, place] of [
      [`?panel=search&center=${CITY_HALL}`, CITY_HALL],
      [`?node=${node!.node_id}`, node!.center],
    ] as const) {
      const coverage = await openCoverage(traveller, query);
      await page.waitForLoadState('networkidle');
      await coverage.settle();
      const { zoom, latitude, longitude } = coverage.view();
      const [north, east] = place.split(', ').map(Number) as [number, number];
      assert.ok(zoom > 10 && Math.abs(latitude - north) < 0.05 && Math.abs(longitude - east) < 0.05, `${query}: ${page.url()}`);
    }
  }),

  'a node opened among thousands is visible': async (traveller) => {
    const { stack, page, width } = traveller;
    const nodes = Array.from({ length: 2_100 }, (_, i) => ({
      center: `-${(20 + Math.floor(i / 50) / 1000).toFixed(4)}, ${(-60 + (i % 50) / 1000).toFixed(4)}`,
      token: 'construction',
      customer_reference: `crowd-${i}`,
    }));
    const relation_id = await createNodes(stack, `Crowd ${width}`, 'prenodes', nodes);
    const [node] = await stack.api<Can[]>('GET', `/v2/cov/nodes?target=prenodes&relation_id=${relation_id}&customer_reference=crowd-1025`);
    const coverage = await openCoverage(traveller, `?target=prenodes&relation_id=${relation_id}&node=${node!.node_id}&view=3/-20/-60`);
    await coverage.node.getByText(node!.center).waitFor();
    await coverage.settle();
    const { x, y, width: wide, height } = (await coverage.canvas.boundingBox())!;
    await page.mouse.move(x + wide / 2 + 3, y + height / 2 + 3);
    // The hint describes the node itself; for a cell it would say how many nodes the cell contains.
    await coverage.describes(/^under construction · ftth · active$/);
    await stack.api('DELETE', `/v2/cov/nodes?target=prenodes&relation_id=${relation_id}`);
  },

  'as soon as one tile has cells, the whole view shows cells with their stages, and a lone node as a node': async (traveller) => {
    const { stack, page, width } = traveller;
    const prepared = (count: number, center: (i: number) => string, token: string) =>
      Array.from({ length: count }, (_, i) => ({ center: center(i), token }));
    // The two groups lie west and east of the tile edge at 56.25 degrees.
    const crowd = prepared(2_100, (i) => `${-20 - Math.floor(i / 50) / 1000}, ${-57 - (i % 50) / 1000}`, 'construction');
    const neighbours = prepared(30, (i) => `-20.0${10 + i}, -55.5`, 'planned');
    const relation_id = await createNodes(stack, `Edge ${width}`, 'prenodes', [
      ...crowd,
      ...neighbours,
      { center: '-22.5, -55.5', token: 'operation' },
    ]);
    const coverage = await openCoverage(traveller, `?target=prenodes&relation_id=${relation_id}&view=5/-20/-55.5`);
    await coverage.sees('2,131 access nodes in view');
    const { x, y, width: wide, height } = (await coverage.canvas.boundingBox())!;
    const hint = async (right: number, down: number, words: RegExp): Promise<void> => {
      await page.mouse.move(x + wide / 2 + right, y + height / 2 + down);
      await coverage.describes(words);
    };
    await hint(1, 1, /^30 access nodes: 30 planned/);
    await hint(-69, 1, /^2,100 access nodes: 2,100 under construction/);
    await hint(1, 121, /^in operation/);
    await traveller.checkAccessibility();
    await coverage.clickMap(1, 121);
    await coverage.node.getByText('-22.5, -55.5').waitFor();
    await stack.api('DELETE', `/v2/cov/nodes?target=prenodes&relation_id=${relation_id}`);
  },

  'a count that is exact is not rounded, and stages differ in shape': atOneWidth(async (traveller) => {
    const { stack, width } = traveller;
    const many = Array.from({ length: 10_041 }, (_, i) => ({ center: `-30.${1_000 + i}, 20`, token: 'planned' }));
    const relation_id = await createNodes(stack, `Many ${width}`, 'prenodes', many);
    const coverage = await openCoverage(traveller, `?target=prenodes&relation_id=${relation_id}&panel=bulk`);
    await coverage.side.getByRole('button', { name: 'Merge 10,041 access nodes' }).waitFor();
    await coverage.choosePanel('List');
    await coverage.side.getByText('50 of more than 10,000', { exact: true }).waitFor();
    await coverage.choosePanel('Filters');
    const shapes = await coverage.map
      .locator('.legend .dot')
      .evaluateAll((dots) => dots.map((dot) => getComputedStyle(dot).backgroundImage));
    const holes = shapes.map((shape) => shape.replaceAll(/rgba?\([^)]*\)/g, ''));
    assert.equal(new Set(holes).size, 4);
    await stack.api('DELETE', `/v2/cov/nodes?target=prenodes&relation_id=${relation_id}`);
  }),

  'errors in a search are shown next to their fields': async (traveller) => {
    traveller.expects(/422/);
    const coverage = await openCoverage(traveller, '?panel=search');
    await coverage.search({ center: '48,2108; 16,3575', radius: '100001', limit: '11' });
    await coverage.side.getByText('must be a number of metres from 0 to 100000', { exact: true }).waitFor();
    for (const label of ['Radius in metres', 'Maximum results'])
      assert.equal(await coverage.side.getByLabel(label).getAttribute('aria-invalid'), 'true', label);
    await traveller.checkAccessibility();
    // Decimal commas are understood.
    await coverage.search({ center: '48,2108; 16,3575', radius: '5000', limit: '7' });
    await expectResults(coverage, traveller.stack, `center=${encodeURIComponent(CITY_HALL)}&search_radius=5000&limit=7`);
  },

  'the map, a node, its stage and the list can be used with only the keyboard': async (traveller) => {
    const { stack, page, width } = traveller;
    const center = width > 500 ? '10.123, 20.456' : '11.123, 21.456';
    await loadPlaces(stack);
    await createNodes(stack, `Keyboard ${width}`, 'prenodes', [{ center, token: 'planned' }]);
    const [latitude, longitude] = center.split(', ');
    const coverage = await openCoverage(traveller, `?target=prenodes&view=12/${latitude}/${longitude}`);
    await coverage.sees('1 access node in view');
    await coverage.canvas.focus();
    await page.keyboard.press('+');
    await coverage.settle();
    await page.keyboard.press('Enter');
    await coverage.node.getByText(center).waitFor();
    await coverage.settle();
    await traveller.checkAccessibility();

    await coverage.node.getByLabel('Stage').focus();
    await page.keyboard.press('u');
    await coverage.node.getByRole('button', { name: 'Save' }).focus();
    await page.keyboard.press('Enter');
    await coverage.status.getByText('The access node was saved').waitFor();
    const [saved] = await stack.api<Can[]>('GET', `/v2/cov/nodes?target=prenodes&token=construction`);
    assert.equal(saved?.center, center);

    await coverage.node.getByRole('button', { name: 'Close' }).press('Enter');
    await coverage.side.getByRole('button', { name: 'List' }).press('Enter');
    await coverage.side.getByRole('row').filter({ hasText: center }).waitFor();
    await traveller.checkAccessibility();
    await stack.api('DELETE', `/v2/cov/nodes/${saved.node_id}`);
  },

  'a node is created with a click on the map, and its fields are changed': async (traveller) => {
    const { stack, page, width } = traveller;
    const relation_id = await createNodes(stack, `By click ${width}`, 'prenodes', []);
    const coverage = await openCoverage(traveller, `?target=prenodes&relation_id=${relation_id}&view=12/-35/-130`);
    await coverage.choosePanel('New');
    await coverage.clickMap(3, 4);
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>('input[name=center]')?.value.startsWith('-35.0'));
    const center = await coverage.side.getByLabel('Center').inputValue();
    await coverage.side.getByLabel(/^Customer reference/).fill(`click-${width}`);
    await traveller.checkAccessibility();
    await coverage.side.getByRole('button', { name: 'Create in Pre-production' }).click();
    await coverage.status.getByText('The access node was created').waitFor();
    await coverage.node.getByText(center).waitFor();
    assert.equal(await coverage.node.getByLabel(/^Customer reference/).inputValue(), `click-${width}`);
    await coverage.sees('1 access node in view');

    await coverage.node.getByLabel('Center').fill('-35.5, -130.5');
    await coverage.node.getByLabel(/^Customer reference/).fill('');
    await coverage.node.getByLabel(/^Technology/).fill('fwa');
    await coverage.node.getByLabel(/^Can be ordered from/).fill('2027-03-01');
    await coverage.node.getByLabel(/^Homes and businesses/).fill('4');
    await coverage.node.getByLabel(/^Of these, connected/).fill('3');
    await coverage.node.getByLabel(/^Address \(|^Address$/).fill('Hauptstraße 12/3, 4020 Linz');
    await coverage.node.getByLabel(/^Download in Mbit/).fill('99,5');
    await coverage.node.getByRole('button', { name: 'Save' }).click();
    await coverage.status.getByText('The access node was saved').waitFor();
    const [node] = await stack.api<
      (Can &
        Record<
          'customer_reference' | 'technology' | 'available_from' | 'units' | 'units_connected' | 'address' | 'download_mbps',
          unknown
        >)[]
    >('GET', `/v2/cov/nodes?target=prenodes&relation_id=${relation_id}`);
    assert.notEqual(center, node!.center);
    assert.deepEqual(
      [node!.center, node!.customer_reference, node!.technology, node!.token, node!.available_from, node!.units, node!.download_mbps],
      ['-35.5, -130.5', undefined, 'fwa', 'planned', '2027-03-01', 4, 99.5],
    );
    assert.deepEqual([node!.units_connected, node!.address], [3, 'Hauptstraße 12/3, 4020 Linz']);
    traveller.expects(/422/);
    await coverage.node.getByLabel(/^Of these, connected/).fill('5');
    await coverage.node.getByRole('button', { name: 'Save' }).click();
    await coverage.node.getByText('must not be more than units, which is 4').waitFor();
    await coverage.node.getByText('must not be less than units_connected, which is 5').waitFor();
    await coverage.node.getByLabel(/^Of these, connected/).fill('3');
    traveller.expects(/422/);
    await coverage.node.getByLabel(/^Upload in Mbit/).fill('fast');
    await coverage.node.getByRole('button', { name: 'Save' }).click();
    await coverage.node.getByText('must be a number from 0 to 1000000 with at most 3 decimals').waitFor();
    await coverage.node.getByLabel(/^Upload in Mbit/).fill('');
    await coverage.node.getByRole('button', { name: 'Save' }).click();
    await coverage.status.getByText('The access node was saved').waitFor();
    await stack.api('DELETE', `/v2/cov/nodes/${node!.node_id}`);
  },

  'a merge does exactly what its preview says; a bulk delete asks for the name': async (traveller) => {
    const { stack, width } = traveller;
    await loadPlaces(stack);
    const name = `Merge ${width}`;
    // The nodes are far from Austria and are deleted at the end, because other tests count nodes.
    const node = (index: number) => ({ center: `-${index}.5, -100`, token: 'planned', customer_reference: `order-${index}` });
    const relation_id = await createNodes(stack, name, 'nodes', [node(1), node(2), node(5)]);
    await addNodes(stack, relation_id, 'prenodes', [{ ...node(2), token: 'operation' }, node(3), node(4), node(5)]);

    const coverage = await openCoverage(traveller, `?panel=bulk&relation_id=${relation_id}&target=prenodes`);
    await coverage.sees('4 access nodes in view');
    await coverage.side.getByText('2 of them will be new in production').waitFor();
    await coverage.side.getByText('1 will change the node with the same customer reference').waitFor();
    await coverage.side.getByText('1 will change nothing').waitFor();
    await traveller.checkAccessibility();
    // What will not happen is not listed.
    const fresh = await createNodes(stack, `Fresh ${width}`, 'prenodes', [node(6)]);
    await coverage.open(`coverage?panel=bulk&relation_id=${fresh}&target=prenodes`);
    await coverage.side.getByText('1 of them will be new in production').waitFor();
    assert.equal(await coverage.side.getByText(/^0 /).count(), 0);
    await stack.api('DELETE', `/v2/cov/nodes?target=prenodes&relation_id=${fresh}`);
    await coverage.open(`coverage?panel=bulk&relation_id=${relation_id}&target=prenodes`);
    await coverage.sees('4 access nodes in view');
    await coverage.side.getByLabel('Save the present state first').first().check();
    const file = traveller.page.waitForEvent('download');
    await coverage.side.getByRole('button', { name: 'Merge 4 access nodes' }).click();
    assert.match(await readFile(await (await file).path(), 'utf8'), /order-1\b[^]*order-2\b[^]*order-5\b/);
    await coverage.side.getByText('2 moved to production').waitFor();
    await coverage.side.getByText('2 changed a node in production, or were equal to it').waitFor();
    await coverage.sees('0 access nodes in view');

    // From the result, a link leads to what was merged.
    await coverage.side.getByRole('link', { name: 'Show them in production' }).click();
    await coverage.showAll();
    await coverage.sees('5 access nodes in view');
    await coverage.side.getByLabel('Select order-3').waitFor();
    await coverage.choosePanel('Merge, delete');
    const button = coverage.side.getByRole('button', { name: 'Delete all' });
    assert.ok(await button.isDisabled());
    await coverage.side.getByLabel(`Type ${name} to confirm`).fill(`Merge ${width - 1}`);
    assert.ok(await button.isDisabled());
    await coverage.side.getByLabel(`Type ${name} to confirm`).fill(name);
    // The present state is saved first, unless the person does not want it.
    const before = traveller.page.waitForEvent('download');
    await button.click();
    assert.match((await before).suggestedFilename(), new RegExp(`^access-nodes-Merge-${width}-before-`));
    assert.equal((await readFile(await (await before).path(), 'utf8')).match(/order-\d/g)!.length, 5);
    await coverage.status.getByText('The access nodes were deleted').waitFor();
    await coverage.sees('0 access nodes in view');
    assert.deepEqual(await stack.api('GET', `/v2/cov/nodes?relation_id=${relation_id}`), []);
  },

  'the page is accessible in German and in the dark theme': async (traveller) => {
    const coverage = await openCoverage(traveller);
    await coverage.chooseLanguage('Deutsch');
    await coverage.page.emulateMedia({ colorScheme: 'dark' });
    await coverage.sees('2.266 Zugangsknoten sichtbar');
    await coverage.settle();
    await traveller.checkAccessibility();
    await coverage.choosePanel('Suche');
    await traveller.checkAccessibility();
  },

  'beside each result stands whose node it is, whom to contact and where to order': async (traveller) => {
    const { stack, width } = traveller;
    const name = `Private name ${width}`;
    const contact = { operator: 'Wiener Glasfaser', contact_name: 'Wholesale', contact_email: 'wholesale@ano.example' };
    const relation = { name, pip: 'Stadtnetz Wien', comment: 'private comment', order_url: 'https://ano.example/order', ...contact };
    const { relation_id } = await stack.api<{ relation_id: string }>('POST', '/v2/cov/relations', relation);
    const center = width > 500 ? '-41.5, -130' : '-42.5, -130';
    const offer = { available_from: '2027-03-01', download_mbps: 1_000, upload_mbps: 500, units: 4, units_connected: 3 };
    const address = `Hauptstraße ${width}/3, 4020 Linz`;
    const address_id = `ADR ${width}/7`;
    await stack.api('POST', '/v2/cov/nodes', { relation_id, token: 'planned', center, address_id, address, ...offer });
    const coverage = await openCoverage(traveller, '', 'ivan@isp.demo');
    await coverage.search({ center, radius: '10' });
    const result = coverage.results.first();
    await result.getByRole('button', { name: `Copy node_id, ${address}` }).waitFor();
    for (const words of ['Operator Wiener Glasfaser · infrastructure Stadtnetz Wien', 'Contact: Wholesale, wholesale@ano.example'])
      await result.getByText(words).waitFor();
    await result.getByText(/from 1 Mar 2027 · 1,000\/500 Mbit\/s · 4 homes and businesses, 3 of them connected/).waitFor();
    assert.equal(await result.getByRole('link', { name: 'Order page Wiener Glasfaser' }).getAttribute('href'), relation.order_url);
    assert.equal(await result.getByRole('link', { name: 'wholesale@ano.example' }).getAttribute('href'), 'mailto:wholesale@ano.example');
    assert.doesNotMatch(await coverage.side.innerText(), /private/i);
    assert.doesNotMatch(await result.innerText(), new RegExp(center));
    await coverage.filter('Connected homes', 'none');
    await coverage.side.getByText('Only without connected homes, of all relations.').waitFor();
    await coverage.side.getByText('No access nodes found').waitFor();
    await coverage.filter('Connected homes', 'at least one');
    await result.getByText(address).waitFor();
    await coverage.side.getByRole('button', { name: /^Connected homes: at least one/ }).click();
    await coverage.search({ center: address_id });
    await coverage.side.getByText('1 access node found', { exact: true }).waitFor();
    await coverage.side.getByText('Operator Wiener Glasfaser').waitFor();
    await coverage.search({ center: '1234567' });
    await coverage.side.getByText('No node has the address ID "1234567".').waitFor();
    await coverage.search({ center, radius: '10' });
    await coverage.settle();
    await traveller.checkAccessibility();
    const download = traveller.page.waitForEvent('download');
    await coverage.side.getByRole('button', { name: 'Export JSON Lines' }).click();
    const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\n');
    assert.ok(lines.some((line) => (JSON.parse(line) as { relation_id: string }).relation_id === relation_id));
    await coverage.chooseLanguage('Deutsch');
    await coverage.side.getByText('4 Wohnungen und Betriebe, davon 3 angeschlossen').waitFor();
    await coverage.side.getByText('Betreiber Wiener Glasfaser · Infrastruktur Stadtnetz Wien').waitFor();
    await traveller.checkAccessibility();
    await stack.api('DELETE', `/v2/cov/nodes?relation_id=${relation_id}`);
  },

  'ivan may only search': async (traveller) => {
    const coverage = await openCoverage(traveller, '', 'ivan@isp.demo');
    await coverage.search({ center: CITY_HALL, radius: '3000', limit: '10' });
    await expectResults(coverage, traveller.stack, `center=${encodeURIComponent(CITY_HALL)}&search_radius=3000&limit=10`);
    await coverage.search({ center: CITY_HALL, radius: '1' });
    await coverage.side.getByText('No access nodes found').waitFor();
    await coverage.settle();
    await traveller.checkAccessibility();
  },
});
