import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Download } from '../../../../extra/browser.js';
import { atOneWidth, journeys, type Traveller } from './journey.js';
import { CoveragePage } from './pages/coverage-page.js';
import { addNodes, createNodes } from './setup/places.js';

interface Can {
  readonly node_id: string;
  readonly token: string;
  readonly status: string;
  readonly available_from?: string;
  readonly units_connected?: number;
  readonly customer_reference: string;
}

/** Nodes from west to east, of which the first is the westernmost. */
const street = (count: number): object[] =>
  Array.from({ length: count }, (_, n) => ({
    customer_reference: `S-${n}`,
    center: `48.2, ${(16 + n / 1000).toFixed(4)}`,
    token: 'planned',
    units: 4,
  }));

async function openList({ portal, stack, width }: Traveller, name: string, count: number) {
  const relation_id = await createNodes(stack, `${name} ${width}`, 'nodes', street(count));
  const coverage = CoveragePage.of(portal);
  await coverage.open(`coverage?relation_id=${relation_id}&panel=list`);
  await coverage.settle();
  const read = async (): Promise<Can[]> => stack.api('GET', `/v2/cov/nodes?relation_id=${relation_id}&_page_size=2000`);
  const is = async (words: string): Promise<void> => coverage.side.getByText(words, { exact: true }).waitFor();
  const press = (button: string) => coverage.page.getByRole('button', { name: button, exact: true }).click();
  const done = (): Promise<void> => stack.api('DELETE', `/v2/cov/nodes?relation_id=${relation_id}`);
  return { coverage, read, is, press, done, relation_id };
}

journeys('bulk edit', {
  'selected nodes get a stage, a date and connected homes once their number is confirmed; equal ones stay; with only the keyboard': async (
    traveller,
  ) => {
    const { page } = traveller;
    const { coverage, read, is, done } = await openList(traveller, 'Rows', 5);
    for (const reference of ['S-1', 'S-3']) {
      await coverage.side.getByLabel(`Select ${reference}`).focus();
      await page.keyboard.press('Space');
    }
    await is('2 access nodes selected');
    await traveller.checkAccessibility();
    await coverage.side.getByLabel('Stage').selectOption('operation');
    await coverage.side.getByLabel('Can be ordered from').fill('2027-03-01');
    traveller.expects(/422/);
    await coverage.side.getByLabel('Of these, connected').fill('5');
    await coverage.side.getByRole('button', { name: 'Change …' }).focus();
    await page.keyboard.press('Enter');
    await coverage.side.getByText('must not be more than units, which is 4').waitFor();
    await coverage.side.getByLabel('Of these, connected').fill('3');
    await coverage.side.getByRole('button', { name: 'Change …' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Change 2 access nodes?' });
    await dialog.waitFor();
    await traveller.checkAccessibility();
    assert.ok((await read()).every(({ token }) => token === 'planned'));
    await dialog.getByRole('button', { name: 'Cancel' }).press('Enter');
    await coverage.side.getByRole('button', { name: 'Change …' }).press('Enter');
    await dialog.getByRole('button', { name: 'Change 2' }).press('Enter');
    await coverage.status.getByText('Access nodes changed: 2').waitFor();
    // A selection that is no longer what people see must not be changed again.
    await coverage.side.getByText('2 access nodes selected').waitFor({ state: 'hidden' });
    assert.deepEqual(
      (await read())
        .filter(({ token }) => token === 'operation')
        .map((node) => [node.customer_reference, node.available_from, node.units_connected]),
      ['S-1', 'S-3'].map((reference) => [reference, '2027-03-01', 3]),
    );

    await coverage.side.getByRole('button', { name: 'All in the list' }).press('Enter');
    await is('5 access nodes selected');
    await coverage.side.getByLabel('Stage').selectOption('operation');
    await coverage.side.getByRole('button', { name: 'Change …' }).press('Enter');
    await page.getByRole('dialog', { name: 'Change 3 access nodes?' }).getByText('2 others have these values already.').waitFor();
    await page.keyboard.press('Escape');
    await coverage.side.getByLabel('Stage').selectOption('(as it is)');
    await coverage.side.getByLabel('Status').selectOption('active');
    await coverage.side.getByRole('button', { name: 'Change …' }).press('Enter');
    await is('All of them have these values already.');
    await done();
  },

  'a selection is the list with its filters, in its order: what is ticked is what is exported, changed, saved and deleted': async (
    traveller,
  ) => {
    const { page, stack, width } = traveller;
    const nodes = street(180).map((node, index) => ({ ...node, token: index % 6 === 5 ? 'operation' : 'planned' }));
    const name = `Selected ${width}`;
    const relation_id = await createNodes(stack, name, 'prenodes', nodes);
    const query = `target=prenodes&relation_id=${relation_id}`;
    const asked: string[] = [];
    page.on(
      'request',
      (request) => request.url().includes('/v2/cov/nodes') && asked.push(`${request.method()} ${new URL(request.url()).pathname}`),
    );
    const coverage = CoveragePage.of(traveller.portal);
    await coverage.open(`coverage?${query}&token=planned&panel=list`);
    await coverage.sees('150 access nodes in view');
    const press = (button: string) => coverage.page.getByRole('button', { name: button, exact: true }).click();
    const listed = (await stack.api<Can[]>('GET', `/v2/cov/nodes?${query}&token=planned&_order=desc&_page_size=2000`)).map(
      ({ customer_reference }) => customer_reference,
    );
    assert.equal(listed.length, 150);

    // Three pages of the list.
    for (const rows of [50, 100]) {
      await coverage.side
        .getByLabel('Select S-')
        .nth(rows - 1)
        .waitFor();
      await press('Show more');
    }
    const boxes = coverage.side.getByLabel('Select S-');
    await boxes.nth(149).waitFor();
    await press('All in the list');
    await coverage.side.getByText('150 access nodes selected', { exact: true }).waitFor();
    const ticked = await boxes.evaluateAll((all) =>
      all.filter((box) => (box as HTMLInputElement).checked).map((box) => box.getAttribute('aria-label')),
    );
    assert.deepEqual(
      ticked,
      listed.map((reference) => `Select ${reference}`),
    );
    const referencesIn = async (download: Promise<Download>): Promise<string[]> =>
      [...(await readFile(await (await download).path(), 'utf8')).matchAll(/\bS-\d+/g)].map(([reference]) => reference);
    const exported = page.waitForEvent('download');
    await press('Export CSV');
    assert.deepEqual(await referencesIn(exported), listed);

    await coverage.side.getByLabel('Status').selectOption('started');
    await press('Change …');
    await press('Change 150');
    await coverage.status.getByText('Access nodes changed: 150').waitFor();
    const started = await stack.api<Can[]>('GET', `/v2/cov/nodes?${query}&status=started&_order=desc&_page_size=2000`);
    assert.deepEqual(
      started.map(({ customer_reference }) => customer_reference),
      listed,
    );

    await boxes.nth(49).waitFor();
    await press('All in the list');
    await press('Delete 150 access nodes');
    const dialog = page.getByRole('dialog', { name: 'Delete 150 access nodes?' });
    for (const words of ['Pre-production', `${name} (150)`, `${listed.slice(0, 5).join(', ')} and 145 more`])
      await dialog.getByText(words, { exact: true }).waitFor();
    await traveller.checkAccessibility();
    const confirm = dialog.getByRole('button', { name: 'Delete', exact: true });
    assert.ok(await confirm.isDisabled());
    await dialog.getByLabel(`Type ${name} to confirm`).fill(name);
    assert.ok(await dialog.getByLabel('Save the present state first').isChecked());
    const saved = page.waitForEvent('download');
    asked.length = 0;
    await confirm.click();
    assert.deepEqual(await referencesIn(saved), listed);
    assert.match((await saved).suggestedFilename(), new RegExp(`^access-prenodes-Selected-${width}-before-[-0-9T]+\\.csv$`));
    await coverage.status.getByText('Access nodes deleted: 150').waitFor();
    assert.deepEqual(
      asked.filter((request) => !request.startsWith('GET')).map((request) => request.replace(/\/$/, '')),
      ['POST /v2/cov/nodes/deletions'],
    );
    const left = await stack.api<Can[]>('GET', `/v2/cov/nodes?${query}&_page_size=2000`);
    assert.ok(left.length === 30 && left.every(({ token }) => token === 'operation'));
    await stack.api('DELETE', `/v2/cov/nodes?${query}`);
  },

  'of more than 1,000 no part is selected, and the page says what can be done with all': atOneWidth(async (traveller) => {
    const { page } = traveller;
    const { coverage, is, press, done } = await openList(traveller, 'Many', 1_001);
    const tooMany = 'The list has more than 1,000 access nodes, so none were selected: no more can be changed or deleted at once.';
    await press('All in the list');
    await is(tooMany);
    assert.equal(await coverage.side.locator('input[type=checkbox]:checked').count(), 0);
    assert.equal(await coverage.side.getByRole('button', { name: /^(Change|Delete) / }).count(), 0);
    await traveller.checkAccessibility();
    const download = page.waitForEvent('download');
    await press('Export the whole list (CSV)');
    assert.equal((await readFile(await (await download).path(), 'utf8')).match(/\bS-\d+/g)!.length, 1_001);
    await press('Merge, delete …');
    await coverage.side.getByText('1,001 access nodes in Production.').waitFor();

    // The service does nothing else for a list with more filters than a relation.
    await coverage.choosePanel('Filters');
    await coverage.filter('Stage', 'planned');
    await coverage.choosePanel('List');
    await press('All in the list');
    await is(tooMany);
    assert.equal(await coverage.side.getByRole('button', { name: 'Merge, delete …' }).count(), 0);
    await coverage.showAll();
    await coverage.settle();
    await press('All on the map');
    await is('There are more than 1,000 access nodes, so none were selected. Zoom in, or draw a smaller box.');
    await coverage.chooseLanguage('Deutsch');
    await press('Ganze Liste');
    await is(
      'Die Liste hat mehr als 1.000 Zugangsknoten, daher wurde keiner ausgewählt: Mehr lassen sich nicht auf einmal ändern oder löschen.',
    );
    await traveller.checkAccessibility();
    await done();
  }),

  'if the list has changed since it was read, it is read again before anything can be selected': atOneWidth(async (traveller) => {
    const { coverage, is, press, done, relation_id } = await openList(traveller, 'Late', 3);
    await coverage.side.getByLabel('Select S-2').waitFor();
    await addNodes(traveller.stack, relation_id, 'nodes', [{ customer_reference: 'late', center: '48.2, 16.1', token: 'planned' }]);
    await press('All in the list');
    await is('The list has changed in the meantime and was read again. Select again.');
    await coverage.side.getByLabel('Select late').waitFor();
    assert.equal(await coverage.side.locator('input[type=checkbox]:checked').count(), 0);
    await press('All in the list');
    await is('4 access nodes selected');
    await done();
  }),

  'a box on the map, or all that the map shows, is selected, exported and deleted': async (traveller) => {
    const { page, context, stack } = traveller;
    traveller.expects(/404|422/);
    const { coverage, read, is, press, done } = await openList(traveller, 'Street', 10);
    await press('All on the map');
    await is('10 access nodes selected');
    await press('None');

    // The western half of the map.
    await coverage.canvas.scrollIntoViewIfNeeded();
    const { x, y, width, height } = (await coverage.canvas.boundingBox())!;
    await page.mouse.move(x + 3, y + 3);
    await page.keyboard.down('Shift');
    await page.mouse.down();
    await page.mouse.move(x + width / 4, y + height / 2);
    await page.mouse.move(x + width / 2, y + height - 3);
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await is('5 access nodes selected');
    await traveller.checkAccessibility();

    const download = page.waitForEvent('download');
    await press('Export CSV');
    const text = await readFile(await (await download).path(), 'utf8');
    assert.deepEqual(
      [...text.matchAll(/S-\d/g)].map(([reference]) => reference),
      ['S-4', 'S-3', 'S-2', 'S-1', 'S-0'],
    );

    // Somebody else deletes one of them.
    const [first] = await read();
    await stack.api('DELETE', `/v2/cov/nodes/${first!.node_id}`);
    await coverage.side.getByLabel('Stage').selectOption('operation');
    await press('Change …');
    await coverage.failure.getByText('Some nodes do not exist').waitFor();
    await press('Delete 5 access nodes');
    const dialog = page.getByRole('dialog', { name: 'Delete 5 access nodes?' });
    await traveller.checkAccessibility();
    await dialog.getByLabel('Save the present state first').uncheck();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog.getByText('Some nodes do not exist').waitFor();
    assert.equal((await read()).length, 9);
    await page.keyboard.press('Escape');
    await coverage.side.getByText('5 access nodes selected').waitFor({ state: 'hidden' });
    for (const reference of ['S-1', 'S-2', 'S-3', 'S-4']) await coverage.side.getByLabel(`Select ${reference}`).check();
    await press('Delete 4 access nodes');
    await page.getByRole('dialog').getByLabel('Save the present state first').uncheck();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await coverage.status.getByText('Access nodes deleted: 4').waitFor();
    assert.deepEqual(
      (await read()).map(({ customer_reference }) => customer_reference),
      ['S-5', 'S-6', 'S-7', 'S-8', 'S-9'],
    );
    await coverage.chooseLanguage('Deutsch');
    await press('Ganze Liste');
    await is('5 Zugangsknoten ausgewählt');
    await traveller.checkAccessibility();
    assert.equal(context.pages().length, 1);
    await done();
  },
});
