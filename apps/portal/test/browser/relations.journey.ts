import assert from 'node:assert/strict';
import type { Stack } from './setup/stack.js';
import { atOneWidth, journeys, type Traveller } from './journey.js';
import { RelationsPages } from './pages/relations-pages.js';
import { addNodes } from './setup/places.js';

interface Relation {
  readonly relation_id: string;
  readonly name: string;
  readonly pip: string;
  readonly comment?: string;
  readonly operator?: string;
  readonly order_url?: string;
}

const PATH = '/v2/cov/relations/';
const create = (stack: Stack, name: string): Promise<Relation> => stack.api('POST', PATH, { name, pip: 'Stadtnetz Wien' });
const named = async (stack: Stack, name: string): Promise<Relation[]> => stack.api('GET', `${PATH}?name=${encodeURIComponent(name)}`);

/** Signs in and opens one of the relations pages. */
async function at(traveller: Traveller, path: string, email?: string): Promise<RelationsPages> {
  await traveller.portal.open(path, email);
  return RelationsPages.of(traveller.portal);
}

journeys('relations', {
  'a relation is created with the menu and the form, and its id can be copied': async (traveller) => {
    const { portal, page, stack, width } = traveller;
    const pages = await at(traveller, '');
    await portal.chooseFromMenu('Organisation', 'Relations');
    await pages.beginNew();
    await pages.fill({ name: `Innere Stadt ${width}`, pip: 'Stadtnetz Wien', comment: 'Since 2026' });
    await page.getByLabel(/^Operator, as ISPs know you/).fill('Wiener Glasfaser');
    await page.getByLabel(/^Order page/).fill('https://ano.example/order');
    await pages.save.click();
    await page.getByRole('heading', { level: 1, name: `Innere Stadt ${width}` }).waitFor();
    const copied = await pages.copyId();
    const [relation] = await named(stack, `Innere Stadt ${width}`);
    assert.deepEqual(
      [relation?.relation_id, relation?.comment, relation?.operator, relation?.order_url],
      [copied, 'Since 2026', 'Wiener Glasfaser', 'https://ano.example/order'],
    );
    await traveller.checkAccessibility();
    await portal.chooseFromMenu('Organisation', 'Relations');
    await pages.find(`Innere Stadt ${width}`);
    await traveller.checkAccessibility();
  },

  'the page of a new relation shows the next steps, with counts and links': async (traveller) => {
    const { page, stack, width } = traveller;
    const { relation_id } = await create(stack, `Path ${width}`);
    await at(traveller, `relations/${relation_id}`);
    await page.getByRole('heading', { name: 'What comes next' }).waitFor();
    await page.getByText('Import access nodes, then merge').waitFor();
    await traveller.checkAccessibility();

    await addNodes(stack, relation_id, 'prenodes', [{ center: '-40, -120', token: 'planned' }]);
    await page.reload();
    await page.getByRole('link', { name: 'Merge 1 into production' }).click();
    await page.getByRole('button', { name: 'Merge 1 access nodes' }).waitFor();
    await page.goBack();
    for (const [link, panel] of [
      ['1', 'List'],
      ['Import nodes', 'Import, export'],
      ['Show on the map', 'Filters'],
    ] as const) {
      await page.getByRole('link', { name: link, exact: true }).click();
      await page.getByRole('button', { name: panel, exact: true, pressed: true }).waitFor();
      const { searchParams } = new URL(page.url());
      assert.deepEqual([searchParams.get('target'), searchParams.get('relation_id')], ['prenodes', relation_id]);
      await page.goBack();
    }
    await stack.api('DELETE', `/v2/cov/nodes?target=prenodes&relation_id=${relation_id}`);
  },

  'a double click on Save creates only one relation': atOneWidth(async (traveller) => {
    const { page, stack, width } = traveller;
    const pages = await at(traveller, 'relations/new');
    await pages.fill({ name: `Twice ${width}`, pip: 'Stadtnetz' });
    await pages.save.dblclick();
    await page.getByRole('heading', { level: 1, name: `Twice ${width}` }).waitFor();
    assert.equal((await named(stack, `Twice ${width}`)).length, 1);
  }),

  'errors are shown next to their fields': async (traveller) => {
    const { page, stack, width } = traveller;
    traveller.expects(/4(22|09)/);
    const pages = await at(traveller, 'relations/new');
    await pages.save.click();
    await page.getByText('This field is required.').nth(1).waitFor();
    await pages.hasFocus(pages.name);
    await pages.fill({ name: 'x'.repeat(256), pip: 'Stadtnetz', comment: 'y'.repeat(4_001) });
    await pages.save.click();
    await page.locator('[aria-invalid=true]').nth(1).waitFor();
    assert.match((await pages.descriptionOf(pages.name)) ?? '', /255/);
    assert.match((await pages.descriptionOf(pages.comment)) ?? '', /4000/);
    await traveller.checkAccessibility();

    const taken = await create(stack, `Taken ${width}`);
    await pages.fill({ name: taken.name, pip: 'Stadtnetz' });
    await pages.save.click();
    await pages.failure.getByText('The name is taken').waitFor();
    await pages.failure.getByText(taken.relation_id).waitFor();
  },

  'a name of 255 emoji and markup in the other fields are treated as plain text': async (traveller) => {
    const { page, stack, width } = traveller;
    const pages = await at(traveller, 'relations/new');
    const name = (width < 800 ? '🪢' : '🧶').repeat(255);
    const script = `<script>document.title='hacked'</script><img src=x onerror="document.title='hacked'">`;
    await pages.fill({ name, pip: script, comment: script });
    await pages.save.click();
    await pages.isAt(/^relations\/[0-9a-f-]{36}$/);
    await page.getByRole('heading', { level: 1, name }).waitFor();
    assert.equal(await pages.comment.inputValue(), script);
    assert.deepEqual(
      (await named(stack, name)).map(({ pip }) => pip),
      [script],
    );
    await page.goto(`${pages.url}relations`);
    await page.getByText(script).first().waitFor();
    assert.equal(await page.title(), 'Relations · Open Access Fibre');
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  },

  'no input is lost if the session ends while a form is being filled in': async (traveller) => {
    const { page, stack, width } = traveller;
    // The issuer no longer knows the refresh token.
    traveller.expects(/400/);
    const pages = await at(traveller, 'relations/new');
    await pages.fill({ name: `Kept ${width}`, pip: 'Stadtnetz', comment: 'typed before' });
    await stack.forgetSessions();
    await traveller.waitTwoHours();
    await pages.save.click();
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    await traveller.checkAccessibility();
    const [window] = await Promise.all([page.waitForEvent('popup'), page.getByRole('button', { name: 'Sign in again' }).click()]);
    await new RelationsPages(window, pages.url).signIn();
    await page.getByRole('heading', { level: 1, name: `Kept ${width}` }).waitFor();
    assert.deepEqual(
      (await named(stack, `Kept ${width}`)).map(({ comment }) => comment),
      ['typed before'],
    );
  },

  'the input is kept if the person does not sign in again': atOneWidth(async (traveller) => {
    const { page, stack } = traveller;
    traveller.expects(/400/);
    const pages = await at(traveller, 'relations/new');
    await pages.fill({ name: 'Later', pip: 'Stadtnetz' });
    await stack.forgetSessions();
    await traveller.waitTwoHours();
    await pages.save.click();
    await page.getByRole('button', { name: 'Not now' }).click();
    await pages.failure.getByText('You are not signed in').waitFor();
    assert.equal(await pages.name.inputValue(), 'Later');
  }),

  'a rejected token is renewed without anyone noticing': atOneWidth(async (traveller) => {
    const { page, width, stack } = traveller;
    traveller.expects(/401/);
    const pages = await at(traveller, 'relations/new');
    await page.route(
      '**/v2/cov/relations',
      (route) => route.continue({ headers: { ...route.request().headers(), authorization: 'Bearer withdrawn' } }),
      { times: 1 },
    );
    await pages.fill({ name: `Renewed ${width}`, pip: 'Stadtnetz' });
    await pages.save.click();
    await page.getByRole('heading', { level: 1, name: `Renewed ${width}` }).waitFor();
    assert.equal((await named(stack, `Renewed ${width}`)).length, 1);
  }),

  'an unavailable service is reported, and trying again saves the relation': async (traveller) => {
    const { page, stack, width } = traveller;
    traveller.expects(/503/);
    const pages = await at(traveller, 'relations/new');
    await pages.fill({ name: `Patient ${width}`, pip: 'Stadtnetz' });
    await stack.withoutDatabase(async () => {
      await pages.save.click();
      await pages.failure.getByText('The service is busy or temporarily unavailable').waitFor();
      await traveller.checkAccessibility();
    });
    await page.getByRole('button', { name: /^Try again/ }).click();
    await page.getByRole('heading', { level: 1, name: `Patient ${width}` }).waitFor();
  },

  'a network failure is reported as such, even in the list': atOneWidth(async (traveller) => {
    const { context, page } = traveller;
    traveller.expects(/ERR_INTERNET_DISCONNECTED/);
    const pages = await at(traveller, 'relations/new');
    await pages.fill({ name: 'Nowhere', pip: 'Stadtnetz' });
    await context.setOffline(true);
    await pages.save.click();
    await pages.failure.getByText('No response').waitFor();
    await context.setOffline(false);
    assert.equal(await pages.name.inputValue(), 'Nowhere');
    assert.equal(await page.getByRole('button', { name: 'Try again' }).isVisible(), true);
  }),

  'with two tabs, the second to save gets a conflict, sees the saved values, and keeps its input': async (traveller) => {
    const { page, stack, width } = traveller;
    traveller.expects(/412/);
    const { relation_id } = await create(stack, `Shared ${width}`);
    const first = await at(traveller, `relations/${relation_id}`);
    const tab = await traveller.newTab();
    await tab.page.goto(`${tab.url}relations/${relation_id}`);
    const second = RelationsPages.of(tab);
    await second.pip.fill('Second PIP');
    await first.pip.fill('First PIP');
    await first.save.click();
    await first.status.getByText('Saved').waitFor();
    await second.save.click();
    await second.failure.getByText('Someone else has changed this in the meantime').waitFor();
    // In words for people, without the entity tags that programs send.
    assert.equal(await second.failure.getByText(/ETag/).count(), 0);
    await tab.page.getByRole('button', { name: 'Show the saved values' }).click();
    await tab.page.waitForFunction(() => document.querySelector<HTMLInputElement>('input[name=pip]')?.value === 'First PIP');
    await traveller.checkAccessibility(tab.page);
    await second.pip.fill('Second PIP');
    await second.save.click();
    await second.status.getByText('Saved').waitFor();
    assert.deepEqual(
      (await named(stack, `Shared ${width}`)).map(({ pip }) => pip),
      ['Second PIP'],
    );
    assert.equal(await page.getByLabel('Name').inputValue(), `Shared ${width}`);
  },

  'the page says that a relation was deleted in the meantime, and keeps the input': atOneWidth(async (traveller) => {
    const { page, stack, width } = traveller;
    traveller.expects(/404/);
    const { relation_id } = await create(stack, `Gone ${width}`);
    const pages = await at(traveller, `relations/${relation_id}`);
    await pages.comment.waitFor();
    await stack.api('DELETE', `${PATH}${relation_id}/`);
    await pages.comment.fill('typed after');
    await pages.save.click();
    await pages.failure.getByText('Not found').waitFor();
    assert.equal(await pages.comment.inputValue(), 'typed after');
    await page.goto(`${pages.url}relations/${relation_id}`);
    await pages.failure.getByText('Not found').waitFor();
  }),

  'a wrong relation goes in one act, with the nodes of both collections, which are saved first': async (traveller) => {
    const { page, stack, width } = traveller;
    traveller.expects(/409|412/);
    const name = `Used ${width}`;
    const { relation_id } = await create(stack, name);
    await addNodes(stack, relation_id, 'prenodes', [
      { token: 'planned', center: '48.2, 16.3', customer_reference: 'one' },
      { token: 'planned', center: '48.2, 16.3', customer_reference: 'two' },
    ]);
    await addNodes(stack, relation_id, 'nodes', [{ token: 'operation', center: '48.2, 16.3', customer_reference: 'one' }]);
    const pages = await at(traveller, `relations/${relation_id}`);
    await pages.askToDelete();
    const dialog = page.getByRole('dialog', { name: `Delete ${name}?` });
    await dialog.getByText('Access nodes in pre-production').waitFor();
    assert.deepEqual(await dialog.locator('dd').allInnerTexts(), ['1', '2']);
    await traveller.checkAccessibility();
    const confirm = dialog.getByRole('button', { name: 'Delete the relation and its access nodes' });
    assert.ok(await confirm.isDisabled());
    await dialog.getByLabel(`Type ${name} to confirm`).fill(name);
    const downloads: string[] = [];
    page.on('download', (file) => downloads.push(file.suggestedFilename()));
    await confirm.click();
    await pages.isAt('relations');
    await pages.status.getByText(`${name} was deleted`).waitFor();
    assert.deepEqual(await named(stack, name), []);
    assert.equal(await page.getByRole('link', { name }).count(), 0);
    assert.deepEqual(await stack.api('GET', `/v2/cov/nodes?relation_id=${relation_id}`), []);
    assert.deepEqual(await stack.api('GET', `/v2/cov/nodes?target=prenodes&relation_id=${relation_id}`), []);
    assert.deepEqual(
      downloads.map((file) => file.replace(/-before-.*/, '')),
      [`access-nodes-Used-${width}`, `access-prenodes-Used-${width}`],
    );
    // Without nodes, there is nothing to type.
    const empty = await create(stack, `Empty ${width}`);
    await at(traveller, `relations/${empty.relation_id}`);
    await pages.askToDelete();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the relation', exact: true }).click();
    await pages.isAt('relations');
    // What a page has not seen, it does not delete.
    const late = await create(stack, `Late ${width}`);
    await at(traveller, `relations/${late.relation_id}`);
    await pages.askToDelete();
    const sure = page.getByRole('dialog').getByRole('button', { name: 'Delete the relation', exact: true });
    await sure.waitFor();
    await addNodes(stack, late.relation_id, 'prenodes', [{ token: 'planned', center: '48.2, 16.3' }]);
    await sure.click();
    await pages.failure.getByText('The relation is in use').waitFor();
    await stack.api('DELETE', `/v2/cov/nodes?target=prenodes&relation_id=${late.relation_id}`);
  },

  'a long list loads page by page': atOneWidth(async (traveller) => {
    const { page, stack, width } = traveller;
    for (let i = 0; i < 60; i++) await create(stack, `Many ${width}-${i}`);
    const pages = await at(traveller, 'relations');
    const more = page.getByRole('button', { name: 'Show more' });
    const all = page.getByText(/^\d+ in all$/);
    await more.click();
    for (await more.or(all).waitFor(); !(await all.isVisible()); await more.or(all).waitFor()) await more.click();
    for (const i of [0, 59]) await page.getByRole('link', { name: `Many ${width}-${i}`, exact: true }).waitFor();
    // Compare whole ids, because two out of a hundred may have the same shortened form.
    const ids = await page.locator('tbody code').evaluateAll((codes) => codes.map((code) => code.getAttribute('title')));
    assert.equal(new Set(ids).size, ids.length);
    assert.equal(await pages.rows.count(), ids.length + 1);
    assert.equal(await all.textContent(), `${ids.length} in all`);
  }),

  'following a link or going back asks for confirmation before input is lost': async (traveller) => {
    const { portal, page } = traveller;
    const pages = await at(traveller, 'relations');
    await pages.beginNew();
    await pages.fill({ name: 'Typed', pip: 'Stadtnetz' });
    const questions: string[] = [];
    let answer = false;
    page.on('dialog', (dialog) => {
      questions.push(dialog.type());
      void (answer ? dialog.accept() : dialog.dismiss());
    });
    await portal.chooseFromMenu('ISPs');
    await page.goBack();
    await page.waitForFunction(() => location.pathname.endsWith('relations/new'));
    assert.equal(await pages.name.inputValue(), 'Typed');
    assert.deepEqual(questions, ['confirm', 'confirm']);
    answer = true;
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('heading', { level: 1, name: 'Relations' }).waitFor();
    assert.equal(questions.length, 3);
  },

  'the session continues if the network fails during a token renewal': atOneWidth(async (traveller) => {
    const { page, stack, width } = traveller;
    traveller.expects(/ERR_FAILED/);
    const pages = await at(traveller, 'relations/new');
    await pages.fill({ name: `Renewed late ${width}`, pip: 'Stadtnetz' });
    await traveller.waitTwoHours();
    await page.route('**/token', (route) => route.abort(), { times: 1 });
    await pages.save.click();
    await pages.failure.getByText('No response').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: `Renewed late ${width}` }).waitFor();
    assert.equal((await named(stack, `Renewed late ${width}`)).length, 1);
  }),
});
