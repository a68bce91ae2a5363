import assert from 'node:assert/strict';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { atOneWidth, journeys, type Traveller } from './journey.js';
import { CoveragePage } from './pages/coverage-page.js';
import { addNodes, createNodes, PLACES } from './setup/places.js';
import type { Stack } from './setup/stack.js';

const relation = async (stack: Stack, name: string): Promise<string> => createNodes(stack, name, 'prenodes', []);
const nodesOf = (stack: Stack, relation_id: string, target = 'prenodes'): Promise<object[]> =>
  stack.api('GET', `/v2/cov/nodes?target=${target}&relation_id=${relation_id}&_page_size=2000`);

async function openFiles({ portal }: Traveller, query = '?target=prenodes', email?: string): Promise<CoveragePage> {
  const coverage = CoveragePage.of(portal);
  await coverage.open(`coverage${query}`, email);
  return coverage;
}

/** The file that the browser saves after a click. */
async function saved(coverage: CoveragePage, button: string): Promise<{ name: string; text: string }> {
  const download = coverage.page.waitForEvent('download');
  await coverage.side.getByRole('button', { name: button, exact: true }).click();
  const file = await download;
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
}

const asCsv = (rows: readonly object[]): string =>
  ['\uFEFFcustomer_reference;center;token', ...rows.map((row) => Object.values(row).join(';'))].join('\r\n');

journeys('files', {
  'a spreadsheet is checked, imported and shown; importing it a second time changes nothing': async (traveller) => {
    const { stack, width } = traveller;
    const relation_id = await relation(stack, `Chosen ${width}`);
    const coverage = await openFiles(traveller, `?target=prenodes&relation_id=${relation_id}&panel=files`);
    await coverage.sees('0 access nodes in view');
    const rows = PLACES.slice(0, 300).map(({ center, token }, index) => ({ reference: `P-${index}`, center, token }));
    await coverage.chooseFile('places.csv', Buffer.from(asCsv(rows)));
    await coverage.side.getByText('customer_reference', { exact: true }).waitFor();
    await coverage.side.getByText(/^CSV, \d/).waitFor();
    assert.equal(await coverage.side.getByLabel('Relation', { exact: true }).inputValue(), relation_id);
    await traveller.checkAccessibility();

    await coverage.side.getByRole('button', { name: 'Check only' }).click();
    await coverage.side.getByText('The check is complete; nothing was imported').waitFor();
    assert.equal((await nodesOf(stack, relation_id)).length, 0);
    await coverage.side.getByRole('button', { name: 'Import into Pre-production' }).dblclick();
    await coverage.side.getByText('The import is complete').waitFor();
    await coverage.sees('300 access nodes in view');
    await coverage.settle();
    await traveller.checkAccessibility();
    assert.equal((await nodesOf(stack, relation_id)).length, 300);

    await coverage.chooseFile('changed.csv', Buffer.from(asCsv([{ ...rows[0], reference: 'p-0' }])));
    await coverage.side.getByRole('button', { name: 'Check only' }).click();
    await coverage.side.getByRole('region', { name: 'Please check' }).getByText('is new, but differs from "P-0"').waitFor();

    rows[0]!.token = 'operation';
    rows[1]!.token = rows[1]!.token === 'planned' ? 'operation' : 'planned';
    await coverage.chooseFile('places.csv.gz', gzipSync(asCsv(rows)));
    await coverage.side.getByRole('button', { name: 'Import into Pre-production' }).click();
    await coverage.side.getByText('The import is complete').waitFor();
    const counts = (await coverage.side.locator('.counts dd').allTextContents()).map(Number);
    assert.deepEqual([counts[0], counts[1], counts[2]! + counts[3]!, counts[4], counts[5]], [300, 0, 300, 0, 0]);
    assert.ok(counts[2]! >= 1);
  },

  'a file of the whole relation shows by name what it would delete, saves what is there, and then does it': async (traveller) => {
    const { stack, page, width } = traveller;
    traveller.expects(/403|422/);
    const places = PLACES.slice(0, 40).map(({ center, token }, index) => ({ customer_reference: `W-${index}`, center, token }));
    const relation_id = await createNodes(stack, `Whole ${width}`, 'prenodes', places);
    const coverage = await openFiles(traveller, '?target=prenodes&panel=files');
    const withoutSome = places.slice(0, 25).map((row, index) => ({ ...row, token: index === 0 ? 'operation' : row.token }));
    await coverage.chooseFile('whole.csv', Buffer.from(asCsv(withoutSome)));
    await coverage.side.getByLabel('Import the valid rows even if others are rejected').check();
    await coverage.side.getByLabel('Delete the access nodes of the relation that are not in the file').check();
    assert.ok(await coverage.side.getByLabel('Import the valid rows even if others are rejected').isDisabled());
    assert.equal(await coverage.side.getByRole('button', { name: /^Import into/ }).count(), 0);
    const look = coverage.side.getByRole('button', { name: 'Show what would change' });
    await look.click();
    await coverage.side.getByText('Choose a value for all rows.').waitFor();
    await coverage.side.getByLabel('Relation', { exact: true }).selectOption(relation_id);
    await look.click();
    const gone = coverage.side.getByRole('region', { name: 'Not in the file' });
    await gone.getByRole('cell', { name: /W-39$/ }).waitFor();
    assert.equal(await gone.getByRole('row').count(), 16);
    await traveller.checkAccessibility();
    assert.equal((await nodesOf(stack, relation_id)).length, 40);
    // More than the service deletes unasked: the share is said, and the name has to be typed.
    await coverage.side.getByText("15 of the relation's 40 access nodes (38%) would be deleted").waitFor();
    assert.deepEqual(await coverage.side.locator('.counts dt').allTextContents(), [
      'Rows',
      'To create',
      'To change',
      'Unchanged',
      'Rejected',
      'To delete',
    ]);
    await coverage.chooseLanguage('Deutsch');
    await coverage.side.getByText(/^15 der 40 Zugangsknoten der Relation \(38\s%\) würden gelöscht$/).waitFor();
    assert.ok(await coverage.side.getByRole('button', { name: 'Importieren und 15 Zugangsknoten löschen' }).isDisabled());
    await traveller.checkAccessibility();
    await coverage.chooseLanguage('English');

    // Without a file of what is there, nothing is deleted.
    const doIt = coverage.side.getByRole('button', { name: 'Import, and delete 15 access nodes' });
    const typeName = (): Promise<void> => coverage.side.getByLabel(`Type Whole ${width} to confirm`).fill(`Whole ${width}`);
    await typeName();
    await page.route('**/nodes/export**', (route) => route.fulfill({ status: 403, json: { status: 403, detail: 'No.' } }));
    await doIt.click();
    await coverage.failure.getByText('You are not allowed to do this').waitFor();
    assert.equal((await nodesOf(stack, relation_id)).length, 40);
    await page.unroute('**/nodes/export**');

    // One more node would go than the person has seen.
    await look.click();
    await typeName();
    await addNodes(stack, relation_id, 'prenodes', [{ ...places[0], customer_reference: 'W-late' }]);
    await coverage.side.getByLabel('Save the present state first').uncheck();
    await doIt.click();
    await coverage.side.getByText("16 of the relation's 41 access nodes (39%) would be deleted").waitFor();
    assert.equal((await nodesOf(stack, relation_id)).length, 41);
    await typeName();
    await gone.getByRole('cell', { name: /W-late$/ }).waitFor();
    await coverage.side.getByLabel('Save the present state first').check();
    const file = await saved(coverage, 'Import, and delete 16 access nodes');
    await coverage.side.getByText('The import is complete').waitFor();
    assert.match(file.name, /^access-prenodes-Whole-\d+-before-[-0-9T]+\.csv$/);
    assert.equal(file.text.trim().split('\r\n').length, 42);
    assert.equal((await nodesOf(stack, relation_id)).length, 25);

    // A few are deleted as the service does: once the person has seen which.
    await coverage.chooseFile('few.csv', Buffer.from(asCsv(withoutSome.slice(0, 23))));
    await look.click();
    await saved(coverage, 'Import, and delete 2 access nodes');
    await coverage.side.getByText('The import is complete').waitFor();
    assert.equal((await nodesOf(stack, relation_id)).length, 23);

    // The saved file restores what was there.
    await coverage.chooseFile(file.name, Buffer.from(file.text));
    await look.click();
    await coverage.side.getByRole('button', { name: 'Import into Pre-production' }).click();
    await coverage.side.getByText('The import is complete').waitFor();
    assert.equal((await nodesOf(stack, relation_id)).length, 41);
    // A file of something else names none of them.
    await coverage.chooseFile('other.csv', Buffer.from(asCsv([{ ...places[0], customer_reference: 'other' }])));
    await look.click();
    await coverage.side.getByText("41 of the relation's 41 access nodes (100%) would be deleted").waitFor();
    await coverage.side.getByText('The file names none of them.').waitFor();
    assert.ok(await coverage.side.getByRole('button', { name: 'Import, and delete 41 access nodes' }).isDisabled());
    await stack.api('DELETE', `/v2/cov/nodes?target=prenodes&relation_id=${relation_id}`);
  },

  'the counts of a check, a refusal and an import are equal, and the rejected rows and the others are the whole file': async (
    traveller,
  ) => {
    const { stack, width } = traveller;
    traveller.expects(/422/);
    const relation_id = await relation(stack, `Counted ${width}`);
    const coverage = await openFiles(traveller, `?target=prenodes&relation_id=${relation_id}&panel=files`);
    const isBad = (index: number): boolean => index % 13 < 9;
    const rows = Array.from({ length: 2_000 }, (_, index) => ({
      reference: `R-${index}`,
      center: `48.${1_000 + index}, ${isBad(index) ? 196 : 16}`,
      token: 'planned',
    }));
    const bad = rows.filter((_, index) => isBad(index)).length;
    const counts = async (): Promise<number[]> =>
      (await coverage.side.locator('.counts dd').allTextContents()).map((count) => Number(count.replace(',', '')));
    await coverage.chooseFile('rows.csv', Buffer.from(asCsv(rows)));
    const expected = [2_000, 2_000 - bad, 0, 0, bad, 0];
    await coverage.side.getByRole('button', { name: 'Check only' }).click();
    await coverage.side.getByText('Nothing was imported').waitFor();
    assert.deepEqual(await counts(), expected);
    await coverage.side.getByRole('button', { name: 'Import into Pre-production' }).click();
    await coverage.side.getByText('Only the first 1,000 are listed.').waitFor();
    assert.deepEqual(await counts(), expected);
    await coverage.side.getByLabel('Import the valid rows even if others are rejected').check();
    await coverage.side.getByRole('button', { name: 'Import into Pre-production' }).click();
    await coverage.side.getByText('The import is complete').waitFor();
    assert.deepEqual(await counts(), expected);
    const { text } = await saved(coverage, 'Download rejected rows');
    const refused = [...text.matchAll(/\bR-\d+/g)].map(([reference]) => reference);
    assert.equal(refused.length, bad);
    assert.equal(
      text.match(/;rejected; the reason is not among those listed|"rejected; the reason is not among those listed"/g)!.length,
      bad - 1_000,
    );
    const imported = (await nodesOf(stack, relation_id)) as { customer_reference: string }[];
    assert.deepEqual(
      [...refused, ...imported.map(({ customer_reference }) => customer_reference)].sort(),
      rows.map(({ reference }) => reference).sort(),
    );

    // The 10,000th rejected row ends the reading.
    const many = Array.from({ length: 10_400 }, (_, index) => ({
      reference: `M-${index}`,
      center: index < 300 ? '48.5, 16' : '48.5, 196',
      token: 'planned',
    }));
    await coverage.chooseFile('many.csv', Buffer.from(asCsv(many)));
    await coverage.side.getByRole('button', { name: 'Check only' }).click();
    await coverage.side.getByText('Reading stopped at the 10,000th rejected row, Line 10,301. What follows was not checked.').waitFor();
    await coverage.side.getByText('The file with the rejected rows ends where reading stopped.').waitFor();
    assert.equal(await coverage.side.getByRole('button', { name: 'Download rejected rows', exact: true }).count(), 0);
    await traveller.checkAccessibility();
    const some = await saved(coverage, 'Download rejected rows up to there');
    assert.equal(some.text.match(/\bM-\d+/g)!.length, 10_000);
    await coverage.chooseLanguage('Deutsch');
    await coverage.side.getByText('Nach der 10.000. abgelehnten Zeile, Zeile 10.301, wurde nicht weitergelesen.').waitFor();
    await traveller.checkAccessibility();
    await stack.api('DELETE', `/v2/cov/nodes?target=prenodes&relation_id=${relation_id}`);
  },

  'keys that end with white space or have invisible characters are refused in readable words, in files and forms': atOneWidth(
    async (traveller) => {
      const { stack } = traveller;
      traveller.expects(/422/);
      const relation_id = await relation(stack, 'Look-alikes');
      const coverage = await openFiles(traveller, `?target=prenodes&relation_id=${relation_id}&panel=files`);
      await coverage.chooseLanguage('Deutsch');
      const lines = ['"Haus 1\u00a0";"48.1, 16";planned', 'Ha\u00adus 2;"48.1, 16";planned'];
      const buffer = Buffer.from(['customer_reference;center;token', ...lines].join('\n'));
      await coverage.side.getByLabel('Datei wählen').setInputFiles({ name: 'keys.csv', mimeType: '', buffer });
      await coverage.side.getByRole('button', { name: 'Nur prüfen' }).click();
      await coverage.side.getByText('darf nicht mit einem Leerraum enden; Zeichen 7 ist U+00A0').waitFor();
      await coverage.side.getByText('darf kein unsichtbares Zeichen enthalten; Zeichen 3 ist U+00AD').waitFor();
      await coverage.open(`coverage?target=prenodes&relation_id=${relation_id}&panel=create`);
      await coverage.side.getByLabel(/^Kundenreferenz/).fill('Ha\u00adus 3');
      await coverage.side.getByLabel('Mittelpunkt').fill('48.1, 16');
      await coverage.side.getByRole('button', { name: 'Als Entwurf anlegen' }).click();
      await coverage.side.getByText('darf kein unsichtbares Zeichen enthalten; Zeichen 3 ist U+00AD').waitFor();
      await coverage.chooseLanguage('English');
      await coverage.side.getByText('must not contain an invisible character; it has U+00AD as character 3').waitFor();
    },
  ),

  'rejected rows are listed with line and column, and can be saved as a file; the valid rows can be imported': async (traveller) => {
    const { stack, width } = traveller;
    traveller.expects(/422/);
    const relation_id = await relation(stack, `Refused ${width}`);
    const coverage = await openFiles(traveller, `?target=prenodes&relation_id=${relation_id}&panel=files`);
    const lines = PLACES.slice(0, 60).map(({ center }, index) => `${relation_id};${index < 30 ? center : '148.1, 16.3'};planned`);
    await coverage.chooseFile('rows.csv', Buffer.from(['relation_id;center;token', ...lines].join('\n')));
    await coverage.side.getByRole('button', { name: 'Import into Pre-production' }).click();
    await coverage.side.getByText('Nothing was imported').waitFor();
    // The same fault of many rows is named once.
    await coverage.side.getByText('lines 32, 33, 34, 35, 36, 37 and 24 more').waitFor();
    await coverage.side.getByText('30 rows', { exact: true }).waitFor();
    assert.equal(await coverage.side.locator('.import-report').getByRole('row').count(), 2);
    await traveller.checkAccessibility();
    const { name, text } = await saved(coverage, 'Download rejected rows');
    assert.equal(name, 'rows.csv.refused.csv');
    assert.equal(text.trim().split('\r\n').length, 31);
    assert.match(text, new RegExp(`^\uFEFFrelation_id;center;token;reason\r\n${relation_id};148.1, 16.3;planned;"center: `));
    assert.equal((await nodesOf(stack, relation_id)).length, 0);

    await coverage.side.getByLabel('Import the valid rows even if others are rejected').check();
    await coverage.side.getByRole('button', { name: 'Import into Pre-production' }).click();
    await coverage.side.getByText('The import is complete').waitFor();
    assert.equal((await nodesOf(stack, relation_id)).length, 30);
  },

  'columns with unknown names are shown with their rows, and each is assigned to a field or left out': async (traveller) => {
    const { stack, width } = traveller;
    const relation_id = await relation(stack, `Mapped ${width}`);
    const coverage = await openFiles(traveller, `?target=prenodes&relation_id=${relation_id}&panel=files`);
    const lines = PLACES.slice(0, 7).map(({ center }, index) => `"${center}";K-${index};ours`);
    await coverage.chooseFile('theirs.csv', Buffer.from(['Ort;customer_reference;intern', ...lines].join('\r\n')));
    const rows = coverage.side.getByRole('region', { name: 'The first rows of the file' }).getByRole('row');
    await rows.nth(5).waitFor();
    assert.equal(await rows.count(), 6);
    await coverage.side.getByLabel('Stage of all rows').selectOption('planned');
    const start = coverage.side.getByRole('button', { name: 'Import into Pre-production' });
    await start.click();
    await coverage.side.getByText('Choose what 2 columns contain.').waitFor();
    await coverage.hasFocus(coverage.side.getByLabel('Column Ort contains'));
    await traveller.checkAccessibility();
    await coverage.side.getByLabel('Column Ort contains').selectOption('center');
    await coverage.side.getByLabel('Column intern contains').selectOption('(leave out)');
    await start.click();
    await coverage.side.getByText('The import is complete').waitFor();
    const nodes = (await nodesOf(stack, relation_id)) as { center: string; customer_reference: string }[];
    assert.deepEqual(
      nodes.map(({ customer_reference }) => customer_reference).sort(),
      PLACES.slice(0, 7).map((_, index) => `K-${index}`),
    );
    await stack.api('DELETE', `/v2/cov/nodes?target=prenodes&relation_id=${relation_id}`);
  },

  'a German spreadsheet is imported after its columns were assigned, and so are its rejected rows once they are corrected': async (
    traveller,
  ) => {
    const { stack, width } = traveller;
    traveller.expects(/422/);
    const relation_id = await relation(stack, `Village ${width}`);
    const coverage = await openFiles(traveller, `?target=prenodes&relation_id=${relation_id}&panel=files`);
    const lines = PLACES.slice(0, 12).map(({ center }, index) => {
      const [latitude, longitude] = center.split(', ').map((degrees) => degrees.replace('.', ','));
      return `K-${index};${index === 3 ? '148,1' : latitude};"${longitude}";${['geplant', 'in Bau', 'In Betrieb', 'gebaut', 'planned', 'irgendwann'][index % 6]};"Hof; ${index}"`;
    });
    await coverage.chooseFile('dorf.csv', Buffer.from(['\uFEFFReferenz;Breite;Länge;Stufe (Plan, Bau);Bemerkung', ...lines].join('\r\n')));
    const guessed = { Referenz: 'customer_reference', Breite: 'latitude', Länge: 'longitude', 'Stufe (Plan, Bau)': 'token' };
    for (const [column, field] of Object.entries(guessed))
      assert.equal(await coverage.side.getByLabel(`Column ${column} contains`).inputValue(), field);
    assert.equal(await coverage.side.getByLabel('"gebaut" means').inputValue(), 'operation');
    await coverage.side.getByLabel('Column Bemerkung contains').selectOption('(leave out)');
    await coverage.side.getByLabel('"irgendwann" means').selectOption('(not a stage)');
    await traveller.checkAccessibility();
    const start = coverage.side.getByRole('button', { name: 'Import into Pre-production' });
    await coverage.side.getByLabel('Import the valid rows even if others are rejected').check();
    await start.click();
    await coverage.side.getByText('The import is complete').waitFor();
    assert.equal((await nodesOf(stack, relation_id)).length, 9);
    // The faults have the names of the file's own columns.
    await coverage.side.getByRole('cell', { name: /Breite$/ }).waitFor();
    await coverage.side
      .getByRole('cell', { name: /Stufe \(Plan, Bau\)$/ })
      .first()
      .waitFor();

    const { name, text } = await saved(coverage, 'Download rejected rows');
    assert.deepEqual(
      text.split('\r\n').map((line) => line.split(';')[0]),
      ['\uFEFFReferenz', 'K-3', 'K-5', 'K-11', ''],
    );
    await coverage.chooseFile(name, Buffer.from(text.replace('148,1', '48,1').replaceAll('irgendwann', 'in Bau')));
    await coverage.side.getByLabel('Column reason contains').waitFor();
    await start.click();
    await coverage.side.getByText('The import is complete').waitFor();
    const stages = ((await nodesOf(stack, relation_id)) as { token: string }[]).map(({ token }) => token);
    assert.deepEqual(
      ['planned', 'construction', 'operation'].map((stage) => stages.filter((one) => one === stage).length),
      [4, 4, 4],
    );

    // The next file of this relation needs no choice, even in a new window.
    await coverage.page.reload();
    await coverage.chooseFile(
      'dorf.csv',
      Buffer.from(['Referenz;Breite;Länge;Stufe (Plan, Bau);Bemerkung', ...lines.slice(0, 2)].join('\r\n')),
    );
    await start.click();
    await coverage.side.getByText('The import is complete').waitFor();
    await stack.api('DELETE', `/v2/cov/nodes?target=prenodes&relation_id=${relation_id}`);
  },

  'a sample file can be downloaded in the language of the page, and imported as it is': async (traveller) => {
    const { stack, width } = traveller;
    const relation_id = await relation(stack, `Sample ${width}`);
    const coverage = await openFiles(traveller, `?target=prenodes&relation_id=${relation_id}&panel=files`);
    const names = [];
    for (const [language, button, start, done] of [
      ['English', 'Download a sample file', 'Import into Pre-production', 'The import is complete'],
      ['Deutsch', 'Beispieldatei herunterladen', 'Als Entwurf importieren', 'Der Import ist abgeschlossen'],
    ] as const) {
      await coverage.chooseLanguage(language);
      const { name, text } = await saved(coverage, button);
      names.push(name);
      await coverage.side.locator('input[type=file]').setInputFiles({ name, mimeType: '', buffer: Buffer.from(text) });
      await coverage.side.getByText(name, { exact: true }).waitFor();
      await coverage.side.getByText(/^CSV, 0[.,]\d\skB$/).waitFor();
      await coverage.side.getByRole('button', { name: start }).click();
      await coverage.side.getByText(done).waitFor();
      await traveller.checkAccessibility();
    }
    assert.deepEqual(names, ['sample.csv', 'beispiel.csv']);
    // The field for a file speaks the language of the page, not that of the browser.
    await coverage.side.getByText('Durchsuchen …').waitFor();
    const stages = ((await nodesOf(stack, relation_id)) as { token: string }[]).map(({ token }) => token).sort();
    assert.deepEqual(stages, ['construction', 'construction', 'planned', 'planned']);
    await stack.api('DELETE', `/v2/cov/nodes?target=prenodes&relation_id=${relation_id}`);
  },

  'a file in the encoding of Windows is read, and one with a fault in its UTF-8 is not': async (traveller) => {
    const { stack, width } = traveller;
    traveller.expects(/400/);
    const relation_id = await relation(stack, `Latin ${width}`);
    const coverage = await openFiles(traveller, `?target=prenodes&relation_id=${relation_id}&panel=files`);
    const text = `Referenz,latitude,longitude,token\n${'Weg,48,16,planned\n'.repeat(1)}Hauptstraße 1,48,16,planned\n`;
    await coverage.chooseFile('broken.csv', Buffer.concat([Buffer.from(text), Buffer.from([0xe4, 0x0a])]));
    await coverage.failure.getByText('The file contains bytes that are not UTF-8, line 4.').waitFor();
    await coverage.failure.getByText('in Excel choose the type "CSV UTF-8"').waitFor();
    assert.ok(await coverage.side.getByRole('button', { name: 'Import into Pre-production' }).isDisabled());
    await traveller.checkAccessibility();
    await coverage.chooseLanguage('Deutsch');
    await coverage.failure.getByText('Zeile 4 der Datei ist nicht in UTF-8').waitFor();
    await coverage.chooseLanguage('English');
    await coverage.chooseFile('windows.csv', Buffer.from(text, 'latin1'));
    await coverage.side.getByText('it is read as Windows saves it: "Hauptstraße 1"').waitFor();
    await traveller.checkAccessibility();
    await coverage.side.getByRole('button', { name: 'Import into Pre-production' }).click();
    await coverage.side.getByText('The import is complete').waitFor();
    const nodes = (await nodesOf(stack, relation_id)) as { customer_reference: string }[];
    assert.deepEqual(nodes.map(({ customer_reference }) => customer_reference).sort(), ['Hauptstraße 1', 'Weg']);
    await stack.api('DELETE', `/v2/cov/nodes?target=prenodes&relation_id=${relation_id}`);
  },

  'a relation is chosen for a file without relations, and choices are kept for the corrected file': async (traveller) => {
    const { stack, page, width } = traveller;
    traveller.expects(/422/);
    const relation_id = await relation(stack, `Corrected ${width}`);
    const path = join(await mkdtemp(join(tmpdir(), 'portal-file-')), 'work.csv');
    await writeFile(path, 'center,customer_reference\n"148, 16",a\n"48.1, 16.1",b\n');
    const coverage = await openFiles(traveller, '?target=prenodes&panel=files');
    const choose = async (): Promise<void> => {
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        coverage.side.getByLabel(/^(Choose a file|Another file)/).click(),
      ]);
      await chooser.setFiles(path);
    };
    const start = coverage.side.getByRole('button', { name: 'Import into Pre-production' });
    await choose();
    await coverage.side.getByText('customer_reference', { exact: true }).waitFor();
    await start.click();
    await coverage.side.getByText('Choose a value for all rows.').nth(1).waitFor();
    await coverage.hasFocus(coverage.side.getByLabel('Relation', { exact: true }));
    await traveller.checkAccessibility();
    await coverage.side.getByLabel('Relation', { exact: true }).selectOption(relation_id);
    await coverage.side.getByLabel('Stage of all rows').selectOption('planned');
    await start.click();
    await coverage.side.getByText('Nothing was imported').waitFor();
    const report = coverage.side.locator('.import-report');
    await coverage.hasFocus(report);
    assert.ok((await report.boundingBox())!.y < 800);
    await report.getByText('are latitude and longitude swapped?').waitFor();

    // The file needs a later modification time than before.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await writeFile(path, 'center,customer_reference\n"48.0, 16",a\n"48.1, 16.1",b\n');
    await start.click();
    await coverage.failure.getByText('The file has changed since you chose it').waitFor();
    await choose();
    await coverage.failure.waitFor({ state: 'detached' });
    assert.equal(await coverage.side.getByLabel('Relation', { exact: true }).inputValue(), relation_id);
    await start.click();
    await coverage.side.getByText('The import is complete').waitFor();
    assert.equal((await nodesOf(stack, relation_id)).length, 2);
  },

  'leaving through the menu asks for confirmation before an import is cancelled': async (traveller) => {
    const { stack, page, portal, width } = traveller;
    traveller.expects(/ERR_|Failed to load/);
    const relation_id = await relation(stack, `Asked ${width}`);
    const coverage = await openFiles(traveller, `?target=prenodes&relation_id=${relation_id}&panel=files`);
    await page.route('**/nodes/import**', () => undefined);
    await coverage.chooseFile('rows.csv', Buffer.from(`relation_id,center,token\n${relation_id},"48, 16",planned\n`));
    await coverage.side.getByRole('button', { name: 'Import into Pre-production' }).click();
    await coverage.side.getByRole('button', { name: 'Cancel' }).waitFor();
    const questions: string[] = [];
    page.on('dialog', (dialog) => {
      questions.push(dialog.type());
      void dialog.dismiss();
    });
    await portal.chooseFromMenu('ISPs');
    await coverage.choosePanel('Filters');
    assert.deepEqual(questions, ['confirm', 'confirm']);
    await coverage.side.getByRole('button', { name: 'Cancel' }).click();
    await coverage.side.getByText('Cancelled.').waitFor();
    await page.unroute('**/nodes/import**');
  },

  'in German, errors from the service are translated, next to fields and in the table of an import': async (traveller) => {
    const { stack, width } = traveller;
    traveller.expects(/422/);
    const relation_id = await relation(stack, `German ${width}`);
    const coverage = await openFiles(traveller, `?target=prenodes&relation_id=${relation_id}&panel=files`);
    await coverage.chooseLanguage('Deutsch');
    const rows = ['center,token,customer_reference', '"148, 16",planned,a', '"48, 16",roof,b', '"48, 16",,c', ',planned,d', 'x,planned,e'];
    await coverage.side.getByLabel('Datei wählen').setInputFiles({ name: 'a.csv', mimeType: '', buffer: Buffer.from(rows.join('\n')) });
    await coverage.side.getByLabel('„roof“ bedeutet').selectOption('(keine Ausbaustufe)');
    await coverage.side.getByRole('button', { name: 'Als Entwurf importieren' }).click();
    for (const words of ['liegen; sind Breite und Länge vertauscht?', 'muss einer dieser Werte sein: planned', 'in Dezimalgrad sein, etwa'])
      await coverage.side.getByText(words).first().waitFor();
    assert.equal(await coverage.side.getByText('ist erforderlich').count(), 2);
    assert.equal(await coverage.side.locator('[lang=en]').count(), 0);
    await traveller.checkAccessibility();

    await coverage.choosePanel('Suche');
    await coverage.side.getByLabel('Umkreis in Metern').fill('100001');
    await coverage.place.fill('48.2, nowhere');
    await coverage.place.press('Enter');
    await coverage.side.getByText('muss eine Zahl von 0 bis 100000 Metern sein').first().waitFor();
    await coverage.side.getByText('muss „Breite, Länge“ in Dezimalgrad sein').first().waitFor();
    assert.equal(await coverage.side.locator('[lang=en]').count(), 0);
  },

  'in German, text that remains in English is marked as English': async (traveller) => {
    const { stack, page, width } = traveller;
    traveller.expects(/4\d\d/);
    const relation_id = await relation(stack, `Marked ${width}`);
    const coverage = await openFiles(traveller, `?target=prenodes&relation_id=${relation_id}&panel=files`);
    await coverage.chooseLanguage('Deutsch');
    assert.equal(await page.locator('html').getAttribute('lang'), 'de');
    for (const text of ['{"center":"48, 16","token":"planned","roof":1}\n', '{"center":"48, 16"\n']) {
      await coverage.side.locator('input[type=file]').setInputFiles({ name: 'a.ndjson', mimeType: '', buffer: Buffer.from(text) });
      const answer = page.waitForResponse((response) => response.url().includes('/nodes/import'));
      await coverage.side.getByRole('button', { name: 'Als Entwurf importieren' }).click();
      const problem = (await (await answer).json()) as { detail: string; errors?: { detail: string }[] };
      const said = coverage.side.getByText(problem.errors?.[0]?.detail ?? problem.detail).last();
      await said.waitFor();
      assert.equal(await said.getAttribute('lang'), 'en');
    }
    await traveller.checkAccessibility();
  },

  'nodes that match the filters are exported, and can be imported unchanged': async (traveller) => {
    const { stack, width } = traveller;
    const relation_id = await createNodes(stack, `Exported ${width}`, 'nodes', PLACES.slice(0, 90));
    const coverage = await openFiles(traveller, `?relation_id=${relation_id}&token=planned&panel=files`);
    const { name, text } = await saved(coverage, 'Export CSV');
    assert.equal(name, 'access-nodes.csv');
    assert.equal(text.trim().split('\r\n').length, 31);
    const geojson = JSON.parse((await saved(coverage, 'Export GeoJSON')).text) as { features: object[] };
    assert.equal(geojson.features.length, 30);
    assert.equal((await saved(coverage, 'Export JSON Lines')).text.trim().split('\n').length, 30);
    await coverage.chooseLanguage('Deutsch');
    await coverage.side.getByRole('heading', { name: 'Exportieren' }).waitFor();
    await traveller.checkAccessibility();
  },

  'a cancelled import changes nothing': atOneWidth(async (traveller) => {
    const { stack, page, width } = traveller;
    traveller.expects(/ERR_|Failed to load/);
    const relation_id = await relation(stack, `Cancelled ${width}`);
    const coverage = await openFiles(traveller, `?target=prenodes&relation_id=${relation_id}&panel=files`);
    // The upload hangs until it is cancelled.
    await page.route('**/nodes/import**', () => undefined);
    await coverage.chooseFile('rows.csv', Buffer.from(`relation_id,center,token\n${relation_id},"48, 16",planned\n`));
    await coverage.side.getByRole('button', { name: 'Import into Pre-production' }).click();
    await coverage.side.getByRole('button', { name: 'Cancel' }).click();
    await coverage.side.getByText('Cancelled.').waitFor();
    await page.unroute('**/nodes/import**');
    assert.equal((await nodesOf(stack, relation_id)).length, 0);
  }),
});
