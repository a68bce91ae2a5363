import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from '../../../../extra/browser.js';
import { atOneWidth, journeys, type Traveller } from './journey.js';
import { CoveragePage } from './pages/coverage-page.js';
import { createNodes } from './setup/places.js';
import type { Stack } from './setup/stack.js';

/** Counts the clicks of a person: to choose from a list takes two, to type takes one, and to choose a file one, with the file in it. */
class Person {
  clicks = 0;
  constructor(private readonly traveller: Traveller) {}

  async click(button: Locator): Promise<void> {
    this.clicks++;
    await button.click();
  }
  async choose(list: Locator, value: string): Promise<void> {
    this.clicks += 2;
    await list.selectOption(value);
  }
  async type(field: Locator, text: string): Promise<void> {
    this.clicks++;
    await field.fill(text);
  }
  /** The next field, which the Tab key reaches. */
  async typeNext(field: Locator, text: string): Promise<void> {
    await field.fill(text);
  }
  async file(field: Locator, name: string, buffer: Buffer): Promise<void> {
    this.clicks++;
    await field.setInputFiles({ name, mimeType: '', buffer });
  }
  /** Opens an entry of the menu, which a phone shows after another click. */
  async menu(...path: string[]): Promise<void> {
    const { portal, width } = this.traveller;
    this.clicks += path.length + (width < 500 ? 1 : 0);
    await portal.chooseFromMenu(...path);
  }
}

const ROWS = 2_000;
/** The rows with faults: twelve, each of its own kind or two of one. */
const FAULTS: Readonly<Record<number, Partial<Record<'latitude' | 'units' | 'date' | 'stage', string>>>> = {
  7: { latitude: '148,41' },
  90: { latitude: '4o,41' },
  150: { units: 'zwei' },
  320: { units: '-1' },
  411: { units: '1,5' },
  555: { date: '31.02.2027' },
  640: { date: '2027' },
  777: { date: 'bald' },
  888: { latitude: '' },
  1_100: { units: '20000' },
  1_300: { latitude: '91' },
  1_700: { date: '30.02.2028' },
};
/** The rows whose latitude and longitude are exchanged. */
const SWAPPED = [60, 1_000, 1_900];

/** A list as an operator's planners write it in a German Excel, saved as plain CSV. */
function messyFile(): Buffer {
  const comma = (degrees: number): string => degrees.toFixed(5).replace('.', ',');
  const lines = Array.from({ length: ROWS }, (_, index) => {
    const [latitude, longitude] = [comma(48.3 + (index % 50) * 0.004), comma(15.5 + Math.floor(index / 50) * 0.005)];
    const fault = FAULTS[index] ?? {};
    const stage = index === 901 ? '???' : ['geplant', 'in Bau', 'in Betrieb'][index % 3]!;
    const [north, east] = SWAPPED.includes(index) ? [longitude, latitude] : [latitude, longitude];
    const units = fault.units ?? String((index % 8) + 1);
    const day = fault.date ?? `0${(index % 9) + 1}.03.2027`;
    return [`KR-${index}`, `Mühlgasse ${index}`, fault.latitude ?? north, east, fault.stage ?? stage, day, units, 'Huber', ''].join(';');
  });
  return Buffer.from(
    [
      'Ausbauliste Krems, Stand 1.3.2027;;;;;;;;',
      ';;;;;;;;',
      'Referenz;Objektadresse;Lage;;Ausbau;;WE;Bauleiter;',
      ';;Breite;Länge;Stufe;Bestellbar ab;;;',
      ...lines.slice(0, 1_000),
      ';;;;;;;;',
      ...lines.slice(1_000),
      `Summe;;;;;;${ROWS};;`,
    ].join('\r\n'),
    'latin1',
  );
}

const nodesOf = (stack: Stack, relation_id: string, target: string): Promise<Record<string, unknown>[]> =>
  stack.api('GET', `/v2/cov/nodes?target=${target}&relation_id=${relation_id}&_page_size=2000`);

async function start(traveller: Traveller, email?: string): Promise<[Person, CoveragePage]> {
  const coverage = CoveragePage.of(traveller.portal);
  await coverage.open('', email);
  return [new Person(traveller), coverage];
}

journeys('day', {
  "an operator's messy list goes in, is corrected and is merged, without leaving the portal": async (traveller) => {
    const { stack, page, width } = traveller;
    traveller.expects(/422/);
    const [person, coverage] = await start(traveller);
    const { side } = coverage;
    await person.menu('Organisation', 'Relations');
    await person.click(page.getByRole('link', { name: 'New relation' }).first());
    await person.type(page.getByLabel('Name'), `Krems ${width}`);
    await person.typeNext(page.getByLabel('Infrastructure provider (PIP)'), 'Stadtnetz');
    await person.click(page.getByRole('button', { name: 'Save' }));
    await person.click(page.getByRole('link', { name: 'Import nodes' }));
    await person.file(side.getByLabel(/^Choose a file/), 'Ausbauliste.csv', messyFile());

    await side.getByText('it is read as Windows saves it: "Länge, Mühlgasse 0, Mühlgasse 1"').waitFor();
    await side.getByText('"01.03.2027" is read as 1 Mar 2027.').waitFor();
    await side.getByText('Skipped: one empty row, a sum (line 2,006).').waitFor();
    assert.equal(await side.getByLabel('Row with the headings').inputValue(), '4');
    for (const [column, field] of Object.entries({ Referenz: 'customer_reference', Breite: 'latitude', Stufe: 'token', WE: 'units' }))
      assert.equal(await side.getByLabel(`Column ${column} contains`).inputValue(), field);
    await traveller.checkAccessibility();
    await side.getByText('3 rows lie more than 500 km from the others').waitFor();
    await side.getByText('lines 65, 1,006, 1,906').waitFor();
    await person.click(side.getByRole('button', { name: 'Swap them in these 3' }));
    await side.getByText('more than 500 km').waitFor({ state: 'detached' });
    await person.choose(side.getByLabel('"???" means'), 'planned');
    await person.click(side.getByRole('button', { name: 'Leave it out' }));

    const doImport = side.getByRole('button', { name: 'Import into Pre-production' });
    await person.click(doImport);
    await side.getByText('Nothing was imported').waitFor();
    const report = side.locator('.import-report');
    assert.deepEqual(await report.locator('.counts dd').allInnerTexts(), ['2,000', '1,988', '0', '0', '12', '0']);
    assert.equal(await report.getByRole('textbox').count(), 12);
    await report.getByText('KR-777').waitFor();
    await traveller.checkAccessibility();
    const fixes = { 'Bestellbar ab': '2027-03-01', Breite: '48,3', WE: '2' };
    const fields = await report.getByRole('textbox').evaluateAll((inputs) => inputs.map((input) => input.getAttribute('aria-label')!));
    for (const [index, label] of fields.entries()) {
      const value = Object.entries(fixes).find(([column]) => label.startsWith(column))![1];
      const field = report.getByLabel(label, { exact: true });
      await (index === 0 ? person.type(field, value) : person.typeNext(field, value));
    }
    await report.getByRole('textbox').last().press('Tab');
    await person.click(doImport);
    await side.getByText('The import is complete').waitFor();
    await coverage.sees('2,000 access nodes in view');
    await person.click(side.getByRole('button', { name: 'Merge, delete', exact: true }));
    await person.click(side.getByRole('button', { name: 'Merge 2,000 access nodes' }));
    await side.getByText('The merge is complete').waitFor();

    const { relation_id } = (await stack.api<{ relation_id: string }[]>('GET', `/v2/cov/relations/?name=Krems%20${width}`))[0]!;
    const nodes = new Map((await nodesOf(stack, relation_id, 'nodes')).map((node) => [node['customer_reference'], node]));
    assert.equal(nodes.size, ROWS);
    assert.equal(nodes.get('KR-901')!['token'], 'planned');
    assert.equal(nodes.get('KR-1')!['available_from'], '2027-03-02');
    assert.match(String(nodes.get('KR-60')!['center']), /^48\./);
    assert.ok(person.clicks <= 18 + (width < 500 ? 1 : 0), `${person.clicks} clicks`);
    traveller.notes(`messy list: ${person.clicks} clicks`);
    await stack.api('DELETE', `/v2/cov/nodes?relation_id=${relation_id}`);
  },

  'an Excel file with merged headings on its second sheet is imported as it is': async (traveller) => {
    const { stack, width } = traveller;
    const relation_id = await createNodes(stack, `Excel ${width}`, 'prenodes', []);
    const coverage = CoveragePage.of(traveller.portal);
    await coverage.open(`coverage?target=prenodes&relation_id=${relation_id}&panel=files`);
    const { side } = coverage;
    await coverage.chooseFile('Ausbauliste.xlsx', await readFile(join(import.meta.dirname, 'files/ausbauliste.xlsx')));
    await side.getByText(/^Excel, \d/).waitFor();
    assert.equal(await side.getByLabel('Column WE contains').inputValue(), 'units');
    await side.getByText('a sum (line 12)').waitFor();
    await traveller.checkAccessibility();
    await side.getByRole('button', { name: 'Import into Pre-production' }).click();
    await side.getByText('The import is complete').waitFor();
    const nodes = await nodesOf(stack, relation_id, 'prenodes');
    assert.equal(nodes.length, 6);
    const first = nodes.find((node) => node['customer_reference'] === 'KR-001')!;
    assert.deepEqual(
      [first['center'], first['token'], first['available_from'], first['units']],
      ['48.41, 15.6', 'planned', '2027-03-01', 1],
    );
    await coverage.chooseFile('old.csv', Buffer.from('center\n'));
    await side.getByLabel(/^Another file/).setInputFiles({ name: 'network.zip', mimeType: '', buffer: Buffer.from([0x50, 0x4b, 3, 4]) });
    await coverage.failure.getByText('The file is a ZIP archive.').waitFor();
    await traveller.checkAccessibility();
    await coverage.chooseLanguage('Deutsch');
    await coverage.failure.getByText('Entpacken Sie es').waitFor();
    await stack.api('DELETE', `/v2/cov/nodes?target=prenodes&relation_id=${relation_id}`);
  },

  'after the valid rows of a file without references, only the corrected ones are imported': atOneWidth(async (traveller) => {
    const { stack } = traveller;
    const relation_id = await createNodes(stack, 'Rest', 'prenodes', []);
    const coverage = CoveragePage.of(traveller.portal);
    await coverage.open(`coverage?target=prenodes&relation_id=${relation_id}&panel=files`);
    const { side } = coverage;
    await coverage.chooseFile('a.csv', Buffer.from('latitude;longitude;token\n48,1;16;planned\n148;16;planned\n48,3;16;planned\n'));
    await side.getByLabel('Import the valid rows even if others are rejected').check();
    const doImport = side.getByRole('button', { name: 'Import into Pre-production' });
    await doImport.click();
    await side.getByText('The import is complete').waitFor();
    assert.equal((await nodesOf(stack, relation_id, 'prenodes')).length, 2);
    await side.locator('.import-report').getByRole('textbox').fill('48,2');
    assert.ok(await side.getByLabel('Only the rejected rows; the others are imported').isChecked());
    await side.locator('.import-report').getByRole('textbox').press('Tab');
    await doImport.click();
    await side.locator('.counts dd').first().getByText('1', { exact: true }).waitFor();
    const centers = (await nodesOf(stack, relation_id, 'prenodes')).map((node) => node['center']);
    assert.deepEqual(centers.sort(), ['48.1, 16', '48.2, 16', '48.3, 16']);
    await stack.api('DELETE', `/v2/cov/nodes?target=prenodes&relation_id=${relation_id}`);
  }),

  'a wrong relation goes away': async (traveller) => {
    const { stack, page, width } = traveller;
    const name = `Wrong ${width}`;
    const node = { token: 'planned', center: '48.2, 16.3' };
    const relation_id = await createNodes(stack, name, 'prenodes', [node, node]);
    const [person] = await start(traveller);
    await person.menu('Organisation', 'Relations');
    await person.click(page.getByRole('link', { name }));
    await person.click(page.getByRole('button', { name: 'Delete the relation' }));
    await person.type(page.getByLabel(`Type ${name} to confirm`), name);
    await person.click(page.getByRole('button', { name: 'Delete the relation and its access nodes' }));
    await traveller.portal.isAt('relations');
    assert.deepEqual(await nodesOf(stack, relation_id, 'prenodes'), []);
    assert.ok(person.clicks <= 6 + (width < 500 ? 1 : 0), `${person.clicks} clicks`);
    traveller.notes(`wrong relation: ${person.clicks} clicks`);
  },

  'the file of the whole relation, each night': async (traveller) => {
    const { stack, page, width } = traveller;
    const relation_id = await createNodes(stack, `Night ${width}`, 'nodes', []);
    const file = (rows: number): Buffer =>
      Buffer.from(
        ['Referenz;Breite;Länge;Stufe', ...Array.from({ length: rows }, (_, row) => `N-${row};48,${1_000 + row};16;geplant`)].join('\n'),
      );
    const coverage = CoveragePage.of(traveller.portal);
    await coverage.open(`coverage?relation_id=${relation_id}&panel=files`);
    const { side } = coverage;
    await coverage.chooseFile('night.csv', file(100));
    await side.getByLabel('Delete the access nodes of the relation that are not in the file').check();
    await side.getByRole('button', { name: 'Show what would change' }).click();
    await side.getByRole('button', { name: 'Import into Production' }).click();
    await side.getByText('The import is complete').waitFor();

    const [person] = await start(traveller);
    await person.click(page.getByRole('link', { name: `Next file, Night ${width}` }).first());
    await person.file(side.getByLabel(/^Choose a file/), 'night.csv', file(95));
    await person.click(side.getByRole('button', { name: 'Show what would change' }));
    await person.click(side.getByRole('button', { name: 'Import, and delete 5 access nodes' }));
    await side.getByText('The import is complete').waitFor();
    assert.equal((await nodesOf(stack, relation_id, 'nodes')).length, 95);
    assert.ok(person.clicks <= 4, `${person.clicks} clicks`);
    traveller.notes(`whole relation: ${person.clicks} clicks`);
    await stack.api('DELETE', `/v2/cov/nodes?relation_id=${relation_id}`);
  },

  "an ISP's addresses, and what it is charged": async (traveller) => {
    const { stack, page, width } = traveller;
    const at = (row: number): string => `${width > 500 ? 61 : 62},${1_000 + 20 * row}`;
    const nodes = Array.from({ length: 150 }, (_, row) => ({ token: 'operation', center: `${at(row).replace(',', '.')}, 5` }));
    const relation_id = await createNodes(stack, `Sold ${width}`, 'nodes', nodes);
    const isp = { name: `Ours ${width}`, ...(width > 500 && { isp_tenant: 'isp.demo' }) };
    const { partner_id } = await stack.api<{ partner_id: string }>('POST', '/api/v2/sys/isps/', isp);
    await stack.api('PUT', '/api/v2/sys/events/', {
      entity_id: crypto.randomUUID(),
      event_type: 'activation',
      event_at: '2026-01-01T00:00:00+01:00',
      sys_attributes: { partner_id, article_codes: ['FIBRE-100'] },
    });
    const file = [
      'Kunden in Krems;;;',
      'Kunde;Straße;Breite;Länge',
      ...Array.from({ length: 300 }, (_, row) => `K${row};Mühlgasse ${row};${at(row)};5`),
    ];
    const [person, coverage] = await start(traveller, 'ivan@isp.demo');
    const report = coverage.side.locator('.import-report');
    await person.file(coverage.side.getByLabel('File of addresses'), 'kunden.csv', Buffer.from(file.join('\r\n'), 'latin1'));
    await report.getByText('Of 300 addresses: 150 can be ordered now, 150 nothing found', { exact: true }).waitFor();
    await person.click(report.getByRole('button', { name: /^Now/ }));
    await report.getByText('K3, Mühlgasse 3', { exact: true }).first().waitFor();
    const download = page.waitForEvent('download');
    await person.click(report.getByRole('button', { name: 'Export the file with the results (CSV)' }));
    assert.match(await readFile(await (await download).path(), 'utf8'), /Mühlgasse 299;/);
    await person.menu('Billing');
    await person.click(page.getByRole('table').getByRole('link').nth(1));
    await page.getByRole('heading', { level: 1, name: /20\d\d/ }).waitFor();
    await traveller.checkAccessibility();
    assert.ok(person.clicks <= 7, `${person.clicks} clicks`);
    traveller.notes(`ISP: ${person.clicks} clicks`);
    await stack.api('DELETE', `/v2/cov/nodes?relation_id=${relation_id}`);
  },
});
