import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { journeys } from './journey.js';
import { CoveragePage } from './pages/coverage-page.js';
import { createNodes, PLACES } from './setup/places.js';

const COVERED = PLACES.slice(0, 60);
/** Addresses in towns, one address with no node nearby, and one without a valid place. */
const FILE = [
  'name;center;note',
  ...COVERED.map(({ center }, index) => `"Haus; ${index}";${center};"a ""quoted"" note"`),
  'Atlantic;10, -40;',
  'nowhere;;',
].join('\n');

journeys('qualification', {
  'a file of addresses is checked for coverage and quality, and saved with the results': async (traveller) => {
    const { stack, portal, page, width } = traveller;
    await createNodes(stack, `Qualified ${width}`, 'nodes', COVERED);
    const coverage = CoveragePage.of(portal);
    await coverage.open('coverage', 'ivan@isp.demo');
    await coverage.side.getByLabel('File of addresses').setInputFiles({ name: 'addresses.csv', mimeType: '', buffer: Buffer.from(FILE) });
    await coverage.side
      .getByText('Of 62 addresses: 20 can be ordered now, 20 from a date, 20 planned, 1 nothing found, 1 faulty', { exact: true })
      .waitFor();
    const counts = await coverage.side.locator('.counts > div').allInnerTexts();
    assert.deepEqual(
      counts.map((count) => count.split(/\n+/)),
      [['Quality A', '60']],
    );
    for (const name of ['Nothing found', 'Faulty']) await coverage.side.getByRole('button', { name: new RegExp(`^${name} ?1$`) }).waitFor();
    await coverage.settle();
    await traveller.checkAccessibility();

    const download = page.waitForEvent('download');
    await coverage.side.getByRole('button', { name: 'Export the file with the results (CSV)' }).click();
    const file = await download;
    assert.equal(file.suggestedFilename(), 'covered-addresses.csv');
    const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
    const sent = FILE.split('\n');
    assert.equal(lines.length, sent.length);
    assert.deepEqual(
      lines.map((line, index) => line.slice(0, sent[index]!.length)),
      sent,
    );
    assert.match(lines.at(-1)!, /is required"$/);

    await coverage.side.getByLabel('File of addresses').setInputFiles({ name: 'addresses.xlsx', mimeType: '', buffer: Buffer.from('PK') });
    await coverage.failure.getByText('The file is not a spreadsheet in the format .xlsx').waitFor();
    await coverage.side.getByLabel('File of addresses').setInputFiles({ name: 'addresses.pdf', mimeType: '', buffer: Buffer.from('%PDF') });
    await coverage.side.getByText('Unknown format: use .xlsx, .csv, .tsv, .geojson or .ndjson.').waitFor();
    await coverage.side
      .getByLabel('File of addresses')
      .setInputFiles({ name: 'no-place.csv', mimeType: '', buffer: Buffer.from('street,town\na,b\n') });
    const columns = coverage.side.getByRole('group', { name: 'Where are the addresses?' });
    await columns.getByText('Choose latitude and longitude, or the center with both, or the address ID.').waitFor();
    await traveller.checkAccessibility();
    for (const rows of [1, 5_000, 5_001, 5_002]) {
      const text = `name,center\n${'Weg,"10, -40"\n'.repeat(rows)}Straße,"10, -40"\n`;
      const choose = (buffer: Buffer) =>
        coverage.side.getByLabel('File of addresses').setInputFiles({ name: 'latin.csv', mimeType: '', buffer });
      await choose(Buffer.concat([Buffer.from(text), Buffer.from([0xdf])]));
      await coverage.failure.getByText(`The file contains bytes that are not UTF-8, line ${rows + 3}`).waitFor();
      await choose(Buffer.from(text, 'latin1'));
      await coverage.side.getByText(`Of ${(rows + 1).toLocaleString('en-GB')} addresses`).waitFor();
    }
    await coverage.chooseLanguage('Deutsch');
    await coverage.side.getByLabel('Datei mit Adressen').waitFor();
    await traveller.checkAccessibility();
  },

  "a file with an Austrian provider's columns is understood, and its rows can be narrowed down": async (traveller) => {
    const { stack, portal, page, width } = traveller;
    await createNodes(stack, `Rows ${width}`, 'nodes', COVERED);
    const comma = (text: string): string => text.replace('.', ',');
    const rows = COVERED.map(({ center }, index) => {
      const [latitude, longitude] = center.split(', ') as [string, string];
      // About 40 m, 200 m and 20 km north.
      const north = (Number(latitude) + [0.00036, 0.0018, 0.18][index % 3]!).toFixed(5);
      return `Haus ${index};${comma(north)};${index === 5 ? 'x' : comma(longitude)}`;
    });
    const buffer = Buffer.from(['Adresse;Breite;Länge', ...rows].join('\n'));
    const coverage = CoveragePage.of(portal);
    await coverage.open('coverage', 'ivan@isp.demo');
    await coverage.side.getByLabel('File of addresses').setInputFiles({ name: 'kunden.csv', mimeType: '', buffer });
    const report = coverage.side.locator('.import-report');
    await coverage.hasFocus(report);
    const covered = async (): Promise<number> =>
      60 - Number(/(\d+) nothing found/.exec(await report.getByText(/^Of 60 addresses: /).innerText())![1]);
    const near = await covered();
    await report.getByText('Within 100 m of a node.').waitFor();
    assert.ok((await report.boundingBox())!.y < 800);
    const columns = coverage.side.getByRole('group', { name: 'Where are the addresses?' });
    for (const [column, field] of Object.entries({ Adresse: '', Breite: 'latitude', Länge: 'longitude' }))
      assert.equal(await columns.getByLabel(`Column ${column} contains`).inputValue(), field);
    await coverage.map.getByRole('list', { name: 'Legend' }).getByText('quality B').waitFor();
    await report.getByRole('button', { name: /^Faulty/ }).click();
    const table = report.getByRole('table');
    assert.match((await table.getByRole('row').allInnerTexts()).at(-1)!, /Haus 5[^]*longitude/);
    await report.getByRole('button', { name: /^Nothing found/ }).click();
    await table.getByText('Haus 2', { exact: true }).first().waitFor();
    await report.getByRole('button', { name: /^Planned/ }).click();
    await table.getByText('Haus 0', { exact: true }).first().waitFor();
    await coverage.settle();
    await traveller.checkAccessibility();

    await coverage.side.getByLabel('Radius in metres').fill('500');
    await coverage.side.getByLabel('Radius in metres').press('Tab');
    await report.getByText('Within 500 m of a node.').waitFor();
    assert.ok((await covered()) > near);
    const download = page.waitForEvent('download');
    await report.getByRole('button', { name: 'Export the file with the results (CSV)' }).click();
    const text = await readFile(await (await download).path(), 'utf8');
    assert.match(text, /^\ufeff?Adresse;Breite;Länge;rank;/);
    await coverage.chooseLanguage('Deutsch');
    await coverage.side.getByText('Wo liegen die Adressen?').waitFor();
    await traveller.checkAccessibility();
  },

  'what may be promised is said and counted: now, from a date, when construction ends, or only planned; and can be asked for': async (
    traveller,
  ) => {
    const { stack, portal, width } = traveller;
    const at = (index: number): string => `${width > 500 ? -51 : -52}.${index}, -120`;
    const nodes = [
      { token: 'operation' },
      { token: 'operation', available_from: '2099-03-01' },
      { token: 'construction', available_from: '2020-01-01' },
      { token: 'construction' },
      { token: 'planned' },
    ].map((node, index) => ({ ...node, center: at(index) }));
    const relation_id = await createNodes(stack, `Offered ${width}`, 'nodes', nodes);
    const coverage = CoveragePage.of(portal);
    await coverage.open('coverage', 'ivan@isp.demo');
    const promises = [
      'can be ordered now',
      'can be ordered from 1 Mar 2099',
      'can be ordered when construction ends',
      'can be ordered when construction ends',
      'only planned',
    ];
    for (const [index, promise] of promises.entries()) {
      await coverage.search({ center: at(index), radius: '10' });
      await coverage.side.getByText(`Searched around the coordinates ${at(index)}.`).waitFor();
      await coverage.results.first().getByText(promise, { exact: true }).waitFor();
    }
    const rows = ['name;center', ...nodes.map(({ center }, index) => `House ${index};${center}`), 'Nowhere;-53, -120'];
    await coverage.side
      .getByLabel('File of addresses')
      .setInputFiles({ name: 'houses.csv', mimeType: '', buffer: Buffer.from(rows.join('\n')) });
    const report = coverage.side.locator('.import-report');
    await report.getByText('Of 6 addresses: 1 can be ordered now, 3 from a date, 1 planned, 1 nothing found', { exact: true }).waitFor();
    for (const tab of ['Now 1', 'From a date 3', 'Planned 1', 'Nothing found 1'])
      await report.getByRole('button', { name: new RegExp(`^${tab.replace(' 1', ' ?1').replace(' 3', ' ?3')}$`) }).waitFor();
    const table = report.getByRole('table');
    for (const words of ['can be ordered from 1 Mar 2099', 'under construction · from 1 Jan 2020'])
      await table.getByText(words).first().waitFor();
    await report.getByRole('button', { name: /^From a date/ }).click();
    assert.equal(await table.getByText(/^House/).count(), 3);
    await traveller.checkAccessibility();

    // The filter applies to the file, the click and the id of an address.
    await coverage.filter('What may be promised', 'can be ordered now');
    await report.getByText('Of 6 addresses: 1 can be ordered now, 5 nothing found', { exact: true }).waitFor();
    await coverage.search({ center: at(4), radius: '10' });
    await coverage.side.getByText('No access nodes found').waitFor();
    await coverage.filter('What may be promised', 'only planned');
    await coverage.results.first().getByText('only planned', { exact: true }).waitFor();
    await coverage.chooseLanguage('Deutsch');
    await report.getByText('Von 6 Adressen: 0 jetzt bestellbar, 1 geplant, 5 ohne Treffer', { exact: true }).waitFor();
    await traveller.checkAccessibility();
    await stack.api('DELETE', `/v2/cov/nodes?relation_id=${relation_id}`);
  },
});
