import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { atOneWidth, journeys, type Traveller } from './journey.js';
import { CoveragePage } from './pages/coverage-page.js';
import { createNodes } from './setup/places.js';

interface Can {
  readonly node_id: string;
  readonly token: string;
  readonly status: string;
  readonly available_from?: string;
  readonly customer_reference: string;
}

/** Nodes from west to east, of which the first is the westernmost. */
const street = (count: number): object[] =>
  Array.from({ length: count }, (_, n) => ({
    customer_reference: `S-${n}`,
    center: `48.2, ${(16 + n / 1000).toFixed(4)}`,
    token: 'planned',
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
  return { coverage, read, is, press, done };
}

journeys('bulk edit', {
  'selected nodes get a stage and a date once their number is confirmed; equal ones stay; with only the keyboard': async (traveller) => {
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
    await coverage.side.getByRole('button', { name: 'Change …' }).focus();
    await page.keyboard.press('Enter');
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
      (await read()).filter(({ token }) => token === 'operation').map((node) => [node.customer_reference, node.available_from]),
      ['S-1', 'S-3'].map((reference) => [reference, '2027-03-01']),
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

  'all of a filter are selected, up to 1,000': atOneWidth(async (traveller) => {
    const { coverage, read, is, press, done } = await openList(traveller, 'Many', 1_100);
    await press('All in the list');
    await is('1,000 access nodes selected. There are more: only the first 1,000 are selected.');
    await coverage.side.getByLabel('Status').selectOption('suspended');
    await press('Change …');
    await coverage.page.getByRole('dialog', { name: 'Change 1,000 access nodes?' }).waitFor();
    await press('Change 1,000');
    await coverage.status.getByText('Access nodes changed: 1,000').waitFor();
    assert.equal((await read()).filter(({ status }) => status === 'suspended').length, 1_000);
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
      ['S-0', 'S-1', 'S-2', 'S-3', 'S-4'],
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
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await coverage.status.getByText('Access nodes deleted: 5').waitFor();
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
