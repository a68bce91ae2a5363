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
    await coverage.side.getByText('60 of 62 addresses are covered', { exact: true }).waitFor();
    const counts = await coverage.side.locator('.counts > div').allInnerTexts();
    assert.deepEqual(
      counts.map((count) => count.split(/\n+/)),
      [
        ['Quality A', '60'],
        ['Not covered', '1'],
        ['With an error', '1'],
      ],
    );
    await coverage.settle();
    await traveller.checkAccessibility();

    const download = page.waitForEvent('download');
    await coverage.side.getByRole('button', { name: 'Save the file with the results' }).click();
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
    await coverage.side.getByText('Unknown format: use .csv, .tsv, .geojson or .ndjson.').waitFor();
    traveller.expects(/422/);
    await coverage.side
      .getByLabel('File of addresses')
      .setInputFiles({ name: 'no-place.csv', mimeType: '', buffer: Buffer.from('street,town\na,b\n') });
    await coverage.side.getByText(/center is missing/).waitFor();
    // The service finds the fault before it answers, or in the middle of its answer.
    traveller.expects(/400|ERR_|Failed to load/);
    for (const rows of [1, 5_000]) {
      const buffer = Buffer.from(`name,center\n${'Weg,"10, -40"\n'.repeat(rows)}Straße,"10, -40"\n`, 'latin1');
      await coverage.side.getByLabel('File of addresses').setInputFiles({ name: 'latin.csv', mimeType: '', buffer });
      await coverage.failure.getByText(`The file contains bytes that are not UTF-8, line ${rows + 2}`).waitFor();
    }
    await coverage.chooseLanguage('Deutsch');
    await coverage.side.getByLabel('Datei mit Adressen').waitFor();
    await traveller.checkAccessibility();
  },
});
