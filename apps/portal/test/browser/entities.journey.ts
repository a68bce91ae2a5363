import assert from 'node:assert/strict';
import type { Locator } from '../../../../extra/browser.js';
import { until } from '@fibre/testing/processes';
import { atOneWidth, journeys, type Traveller } from './journey.js';
import { EntitiesPages } from './pages/entities-pages.js';
import type { Stack } from './setup/stack.js';

interface Event {
  readonly event_id: string;
  readonly event_type: string;
  readonly event_at: string;
  readonly sys_attributes?: { readonly article_codes?: string[] };
  readonly comment?: string;
}

const put = (stack: Stack, body: object): Promise<Event> => stack.api('PUT', '/api/v2/sys/events/', body);
const eventsOf = (stack: Stack, entity_id: string): Promise<Event[]> => stack.api('GET', `/api/v2/sys/events/?entity_id=${entity_id}`);
const createIsp = async (stack: Stack, name: string): Promise<string> =>
  (await stack.api<{ partner_id: string }>('POST', '/api/v2/sys/isps/', { name })).partner_id;

/** Creates an entity that has been active since January, with a new ISP. */
async function activate(stack: Stack, article = 'FIBRE-100'): Promise<{ entity_id: string; isp: string }> {
  const [entity_id, isp] = [crypto.randomUUID(), `ISP ${crypto.randomUUID()}`];
  const sys_attributes = { partner_id: await createIsp(stack, isp), article_codes: [article] };
  await put(stack, { entity_id, event_type: 'activation', event_at: '2026-01-15T09:30:00+01:00', sys_attributes });
  return { entity_id, isp };
}

async function at(traveller: Traveller, path: string, email?: string): Promise<EntitiesPages> {
  await traveller.portal.open(path, email);
  return EntitiesPages.of(traveller.portal);
}

let manySteps: Promise<string> | undefined;

/** Records an activation and an update in each of the next hours. @returns the id of the entity */
async function recordSteps(stack: Stack, count: number): Promise<string> {
  const { entity_id } = await activate(stack);
  const start = Date.parse('2026-01-16T00:00:00Z');
  const numbers = Array.from({ length: count - 1 }, (_, i) => i).values();
  const recorder = async (): Promise<void> => {
    for (const i of numbers) {
      const event_at = new Date(start + i * 3_600_000).toISOString();
      const sys_attributes = { article_codes: [`A-${i}`] };
      await put(stack, { entity_id, event_type: 'update', event_at, event_timezone: 'UTC', sys_attributes });
    }
  };
  await Promise.all([1, 2, 3, 4].map(recorder));
  return entity_id;
}

journeys('entities', {
  'an ISP created with the form is used in an activation; update and deactivation follow, are drawn and are billed': async (traveller) => {
    const { portal, page, stack, width } = traveller;
    const pages = await at(traveller, 'isps/new');
    await page.getByLabel('Name').fill(`Inn Net ${width}`);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: `Inn Net ${width}` }).waitFor();

    await portal.chooseFromMenu('Entities');
    await page.getByRole('link', { name: 'New entity' }).first().click();
    await page.getByRole('button', { name: 'Generate a new one' }).click();
    const entityId = await page.getByRole('textbox', { name: 'entity_id' }).inputValue();
    await pages.fill({ at: '2026-02-01T16:00', isp: `Inn Net ${width}`, articles: ['FIBRE-100', 'VOICE'], reference: 'C-1' });
    await page.getByText('2026-02-01T16:00:00+01:00').waitFor();
    await traveller.checkAccessibility();
    await pages.record.dblclick();
    await pages.isAt(`entities/${entityId}`);
    await pages.status.getByText('Activation recorded').waitFor();
    await pages.state.getByText('active', { exact: true }).waitFor();
    await pages.drawing.waitFor();
    assert.equal((await eventsOf(stack, entityId)).length, 1);
    await traveller.checkAccessibility();

    await pages.begin('Update');
    await pages.fill({ at: '2026-07-01T00:00:30', articles: ['FIBRE-300', 'VOICE'] });
    await pages.record.click();
    await pages.status.getByText('Update recorded').waitFor();
    await pages.charges.nth(1).waitFor();
    // The drawing needs the events, which are loaded separately.
    await pages.drawing.locator('.update').waitFor({ state: 'attached' });
    assert.equal(await pages.drawing.locator('.update').count(), 1);

    await pages.begin('Notification');
    await pages.fill({ at: '2026-08-01T00:00' });
    await page.getByLabel('Comment').fill('Works');
    await pages.record.click();
    await pages.drawing.locator('.notification').waitFor();

    await pages.begin('Deactivation');
    await pages.fill({ at: '2026-09-30T23:59:59' });
    await pages.record.click();
    await pages.state.getByText('inactive', { exact: true }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'Update …' }).count(), 0);
    await page.getByRole('link', { name: 'Activation …' }).waitFor();
    const events = await eventsOf(stack, entityId);
    assert.deepEqual(
      events.map(({ event_type, event_at }) => [event_type, event_at]),
      [
        ['activation', '2026-02-01T15:00:00.000+00:00'],
        ['update', '2026-06-30T22:00:30.000+00:00'],
        ['notification', '2026-07-31T22:00:00.000+00:00'],
        ['deactivation', '2026-09-30T21:59:59.000+00:00'],
      ],
    );
    const starts = await pages.charges
      .locator('td:first-child time')
      .evaluateAll((all) => all.map((time) => time.getAttribute('datetime')));
    assert.deepEqual(starts, ['2026-06-30T22:00:30.000+00:00', '2026-02-01T15:00:00.000+00:00']);
    await pages.events.nth(3).waitFor();
    // With the arrow keys, the drawing tells what happened when; its axis reaches to today.
    await pages.drawing.focus();
    await page.keyboard.press('Home');
    // The names of ISPs are loaded separately.
    await page.locator('.told', { hasText: `Inn Net ${width}` }).waitFor();
    const told: string[] = [];
    for (const key of ['Home', 'ArrowRight', 'ArrowUp', 'ArrowRight', 'ArrowRight', 'ArrowLeft', 'ArrowDown', 'End', 'Home']) {
      await page.keyboard.press(key);
      told.push((await page.locator('.told').textContent())!);
      assert.equal(await pages.drawing.getAttribute('aria-valuetext'), told.at(-1));
    }
    const all = [
      `1 Feb 2026, 16:00 · Activation · Inn Net ${width} · FIBRE-100, VOICE`,
      `1 Jul 2026, 00:00:30 · Update · Inn Net ${width} · FIBRE-300, VOICE`,
      '1 Aug 2026 · Notification · Works',
      `30 Sept 2026, 23:59:59 · Deactivation · Inn Net ${width}`,
    ];
    assert.deepEqual(
      told,
      [0, 1, 2, 3, 3, 2, 1, 3, 0].map((nth) => all[nth]),
    );
    const { x: left, y: top } = (await pages.drawing.boundingBox())!;
    await page.mouse.move(left + 5, top + 40);
    await page.getByText(told[0]!, { exact: true }).waitFor();
    await pages.drawing.getByText('Today', { exact: true }).waitFor();
    await traveller.checkAccessibility();
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  },

  'a second click while the next page loads sends nothing': atOneWidth(async (traveller) => {
    const { page } = traveller;
    const pages = await at(traveller, 'entities/new?type=notification');
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'PUT' && sent.push(request.url()));
    let clickedAgain = false;
    await page.route(/entity-page-[^/]+\.js$/, async (route) => {
      // The button now says that the form is being saved.
      await page.locator('button[type=submit]').click({ force: true });
      clickedAgain = true;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Generate a new one' }).click();
    await pages.fill({ at: '2030-01-01T00:00' });
    await pages.record.click();
    await pages.state.getByText('announced', { exact: true }).waitFor();
    assert.ok(clickedAgain);
    assert.equal(sent.length, 1);
  }),

  'the form for an update in the past contains what ran then, except where it was edited': atOneWidth(async (traveller) => {
    const { page, stack } = traveller;
    const entity_id = crypto.randomUUID();
    const partner_id = await createIsp(stack, `ISP ${entity_id}`);
    const activated = { partner_id, article_codes: ['FIBRE-100', 'VOICE'], option82: 'port 7', partner_reference: 'R-1' };
    await put(stack, { entity_id, event_type: 'activation', event_at: '2026-01-01T00:00:00+01:00', sys_attributes: activated });
    const updated = { article_codes: ['FIBRE-1000'], option82: 'port 8' };
    await put(stack, { entity_id, event_type: 'update', event_at: '2026-02-01T00:00:00+01:00', sys_attributes: updated });
    await put(stack, { entity_id, event_type: 'deactivation', event_at: '2026-03-01T00:00:00+01:00' });
    const again = { partner_id, article_codes: ['FIBRE-50'] };
    await put(stack, { entity_id, event_type: 'activation', event_at: '2026-04-01T00:00:00+02:00', sys_attributes: again });
    const pages = await at(traveller, `entities/${entity_id}/record?type=update`);
    const sees = async (codes: string[], option82: string): Promise<void> => {
      await until('the codes', async () => (await pages.articles.inputValue()) === codes.join('\n'));
      assert.equal(await page.getByLabel(/^option82/).inputValue(), option82);
    };
    await sees(['FIBRE-50'], '');
    const moment = page.getByLabel('When it took place');
    await moment.fill('2026-01-31T23:59:59');
    await sees(['FIBRE-100', 'VOICE'], 'port 7');
    await moment.fill('2026-02-01T00:00');
    await sees(['FIBRE-1000'], 'port 8');
    await page.getByLabel('Time zone').fill('Europe/Moscow');
    await sees(['FIBRE-100', 'VOICE'], 'port 7');
    await page.getByLabel('Time zone').fill('Europe/Vienna');
    // Nothing ran in March.
    await moment.fill('2026-03-15T00:00');
    await sees([''], '');
    await page.getByLabel(/^option82/).fill('port 9');
    await moment.fill('2026-01-15T00:00');
    await sees(['FIBRE-100', 'VOICE'], 'port 9');
    await pages.record.click();
    await pages.status.getByText('Update recorded').waitFor();
    const recorded = (await eventsOf(stack, entity_id)).at(-1);
    assert.deepEqual(recorded?.sys_attributes, { article_codes: ['FIBRE-100', 'VOICE'], option82: 'port 9', partner_reference: 'R-1' });
  }),

  'checking an event records nothing, and shows what is then charged, and what of it is closed already': async (traveller) => {
    const { portal, page, stack } = traveller;
    traveller.expects(/409/);
    const { entity_id, isp } = await activate(stack);
    const [{ partner_id }] = await stack.api<[{ partner_id: string }]>('GET', `/api/v2/sys/isps/?name=${encodeURIComponent(isp)}`);
    const close = (from: string, to: string, reference: string, who: string) =>
      stack.api('POST', '/api/v2/sys/closings/', { from, to, reference, partner_id: who });
    await close('2026-02-01', '2026-03-01', 'FIRST', partner_id);
    await close('2026-02-01', '2026-03-01', 'INV-2', partner_id);
    await close('2026-03-01', '2026-04-01', 'INV-3', partner_id);
    await close('2026-02-01', '2026-03-01', 'OTHER', crypto.randomUUID());
    await close('2026-01-01', '2026-02-01', 'BEFORE', partner_id);
    const pages = await at(traveller, `entities/${entity_id}/record?type=update`);
    const check = page.getByRole('button', { name: 'Check only' });
    await pages.fill({ at: '2026-01-01T00:00', articles: ['FIBRE-300'] });
    await check.click();
    await pages.failure.getByText('The event breaks the order of lifecycle events').waitFor();
    await pages.fill({ at: '2026-02-11T12:00', articles: ['FIBRE-300'] });
    await check.click();
    await page.getByText('Nothing is recorded yet.').waitFor();
    const rows = page.getByRole('table', { name: 'What is then charged' }).locator('tbody tr');
    const cellsOf = async (table: Locator): Promise<string[][]> =>
      Promise.all((await table.all()).map(async (row) => (await row.locator('td').allInnerTexts()).slice(0, 4)));
    const charges = [
      ['11 Feb 2026, 12:00', 'runs', isp, 'FIBRE-300'],
      ['15 Jan 2026, 09:30', '11 Feb 2026, 12:00', isp, 'FIBRE-100'],
    ];
    await rows.nth(1).getByText(isp).waitFor();
    assert.deepEqual(await cellsOf(rows), charges);
    const notice = page.locator('.notice').filter({ hasText: 'What the event changes in it becomes a correction.' });
    await notice.getByRole('link', { name: 'February 2026 · INV-2', exact: true }).waitFor();
    assert.deepEqual(await notice.getByRole('link').allInnerTexts(), ['February 2026 · INV-2', 'March 2026 · INV-3']);
    await page.getByText('Later months change too.').waitFor();
    await traveller.checkAccessibility();
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    assert.equal((await eventsOf(stack, entity_id)).length, 1);
    // Of other input, it would say something else.
    await page.getByLabel('Comment').fill('Faster');
    await rows.first().waitFor({ state: 'detached' });
    await pages.record.click();
    await pages.status.getByText('Update recorded').waitFor();
    await pages.charges.nth(1).getByText(isp).waitFor();
    assert.deepEqual(await cellsOf(pages.charges), charges);

    await portal.chooseLanguage('Deutsch');
    await page.goto(`${pages.url}entities/${entity_id}/record?type=deactivation`);
    await page.getByLabel('Zeitpunkt').fill('2026-02-21T00:00');
    await page.getByRole('button', { name: 'Nur prüfen' }).click();
    const then = page.getByRole('table', { name: 'Was dann verrechnet wird' }).locator('tbody tr');
    await then.first().getByText(isp).waitFor();
    assert.deepEqual(await then.first().locator('td').allInnerTexts(), ['11.02.2026, 12:00', '21.02.2026', isp, 'FIBRE-300']);
    await traveller.checkAccessibility();
  },

  'the form for an update starts with the values of the current subscription': atOneWidth(async (traveller) => {
    const { page, stack } = traveller;
    const entity_id = crypto.randomUUID();
    const sys_attributes = { partner_id: await createIsp(stack, `ISP ${entity_id}`), article_codes: ['A', 'B'], option82: 'port 7' };
    await put(stack, { entity_id, event_type: 'activation', event_at: '2026-01-15T09:30:00+01:00', sys_attributes });
    const pages = await at(traveller, `entities/${entity_id}`);
    await pages.begin('Update');
    assert.equal(await pages.articles.inputValue(), 'A\nB');
    assert.equal(await page.getByLabel(/^option82/).inputValue(), 'port 7');
    await page.getByRole('link', { name: 'Notification' }).click();
    await page.getByRole('link', { name: 'Notification', exact: true }).and(page.locator('[aria-current]')).waitFor();
    assert.equal(await page.getByLabel(/^option82/).inputValue(), '');
  }),

  'a new event, a repeated event and an overwritten event are told apart': atOneWidth(async (traveller) => {
    const { page, stack } = traveller;
    const { entity_id } = await activate(stack);
    const pages = await at(traveller, `entities/${entity_id}`);
    for (const [reference, words] of [
      ['R-1', 'Update recorded'],
      ['R-1', 'this changes nothing'],
      ['R-2', 'this overwrites'],
    ] as const) {
      await pages.begin('Update');
      await pages.fill({ at: '2026-03-01T00:00', articles: ['FIBRE-300'], reference });
      await pages.record.click();
      await pages.isAt(`entities/${entity_id}`);
      await pages.status.getByText(words).waitFor();
    }
    await pages.events.first().getByText('overwritten').waitFor();
    assert.equal((await eventsOf(stack, entity_id)).length, 2);
    assert.equal(await page.getByText('R-2').count(), 1);
  }),

  'an event that violates the order is rejected, and the form names the conflicting event, in either language': async (traveller) => {
    const { portal, stack } = traveller;
    traveller.expects(/4(09|22)/);
    const { entity_id } = await activate(stack);
    const pages = await at(traveller, `entities/${entity_id}/record?type=update`);
    await pages.fill({ at: '2025-12-31T12:00', articles: ['FIBRE-300'] });
    await pages.record.click();
    const { event_id } = (await eventsOf(stack, entity_id))[0]!;
    const activation = `15 Jan 2026, 09:30 (${event_id})`;
    await pages.failure.getByText('The event breaks the order of lifecycle events').waitFor();
    await pages.failure.getByText(`but the activation of ${activation} would follow this update.`).waitFor();
    await traveller.checkAccessibility();
    await portal.chooseLanguage('Deutsch');
    await pages.failure.getByText('Das passt nicht zur Reihenfolge').waitFor();
    assert.equal(
      await pages.failure
        .getByText(
          'Eine Änderung muss auf eine Aktivierung oder Änderung folgen; davor gibt es aber keine. Eine Aktivierung muss das erste ' +
            'Ereignis sein oder auf eine Deaktivierung folgen; die Aktivierung vom ' +
            `15.01.2026, 09:30 (${event_id}) würde aber auf diese Änderung folgen.`,
          { exact: true },
        )
        .getAttribute('lang'),
      null,
    );
    await traveller.checkAccessibility();
    await portal.chooseLanguage('English');
    await pages.fill({ at: '2026-01-15T09:30' });
    await pages.record.click();
    await pages.failure.getByText('Another lifecycle event took place at this instant').waitFor();
    await pages.failure.getByText(`The entity already has the activation of ${activation}`).waitFor();
    assert.equal(await pages.articles.inputValue(), 'FIBRE-300');

    // The form for a new entity does not know that it exists, until a refusal says so.
    const { isp } = await activate(stack);
    const opened = await at(traveller, 'entities/new?type=activation');
    await traveller.page.getByLabel('entity_id').fill(entity_id);
    await opened.fill({ at: '2026-02-01T12:00', isp, articles: ['FIBRE-300'] });
    await opened.record.click();
    await opened.failure.getByText('The event breaks the order of lifecycle events').waitFor();
    await traveller.checkAccessibility();
    traveller.page.once('dialog', (dialog) => void dialog.accept());
    await opened.failure.getByRole('link', { name: 'Show the events of this entity' }).click();
    await portal.isAt(`entities/${entity_id}`);
  },

  'what was refused is on the page of its entity, also if that has no event, and of all entities behind a figure of the overview': async (
    traveller,
  ) => {
    const { portal, page, stack } = traveller;
    traveller.expects(/404/);
    const entity_id = crypto.randomUUID();
    const event = { entity_id, event_type: 'deactivation', event_at: '2026-02-01T00:00:00+01:00' };
    await assert.rejects(() => stack.api('PUT', '/api/v2/sys/events/', event), /409/);
    await until('the refused event', async () => {
      const refused = await stack.api<object[]>('GET', `/api/v2/sys/events/refused/?entity_id=${entity_id}`);
      return refused.length === 1;
    });
    const rows = page.getByRole('table', { name: /^(Refused in|Abgelehnt in)/ }).locator('tbody tr');
    await portal.open(`entities/${entity_id}`);
    await rows.getByText('but there is none before this one').waitFor();
    await rows.getByText('1 Feb 2026', { exact: true }).waitFor();
    await traveller.checkAccessibility();
    await portal.open();
    await page.locator('.figures').getByText('Events refused in seven days').waitFor();
    await page.locator('.figures > div').filter({ hasText: 'Events refused' }).getByRole('link').click();
    await portal.isAt('events/refused');
    await portal.chooseLanguage('Deutsch');
    await rows
      .filter({ hasText: entity_id.slice(-4) })
      .getByText('davor gibt es aber keine')
      .waitFor();
    await traveller.checkAccessibility();
  },

  'errors are shown next to their fields: each article code, the moment, the zone, the ISP': async (traveller) => {
    const { page, stack } = traveller;
    traveller.expects(/422/);
    const { entity_id } = await activate(stack);
    await stack.api('PUT', '/api/v2/sys/events/', { entity_id, event_type: 'deactivation', event_at: '2026-02-01T00:00:00+01:00' });
    const pages = await at(traveller, `entities/${entity_id}/record?type=activation`);
    await pages.record.click();
    await page.getByText('This field is required.').nth(2).waitFor();
    assert.equal(await page.getByText('This field is required.').count(), 3);
    await pages.fill({ at: '2026-10-24T02:30', isp: 'By its partner_id …', articles: ['A', 'x'.repeat(65)] });
    await page.getByLabel('partner_id', { exact: true }).fill('no id');
    await pages.record.click();
    // Of the codes, only the second one is wrong.
    await page.getByText('2: must have 1 to 64 characters', { exact: true }).waitFor();
    assert.equal(await pages.articles.getAttribute('aria-invalid'), 'true');
    assert.equal(await page.getByLabel('partner_id', { exact: true }).getAttribute('aria-invalid'), 'true');
    await traveller.checkAccessibility();
    await pages.articles.fill('A');
    await page.getByLabel('partner_id', { exact: true }).fill(crypto.randomUUID());
    await pages.fill({ at: '2100-01-01T00:00' });
    await pages.record.click();
    await page.getByText('must not be in the future').waitFor();
    await pages.fill({ at: '2026-10-25T02:30', zone: 'Europe/Atlantis' });
    await pages.record.click();
    await page.getByText('a known time zone').first().waitFor();
    await pages.hasFocus(pages.when);
  },

  'an event in the hour that occurs twice is asked which of the two it means, and a time that does not exist is refused': async (
    traveller,
  ) => {
    const { portal, page, stack } = traveller;
    const { entity_id } = await activate(stack);
    const pages = await at(traveller, `entities/${entity_id}/record?type=update`);
    const which = page.getByLabel('Which of the two?');
    // The clocks are turned back within this hour only.
    for (const single of ['2025-10-26T01:59', '2025-10-26T03:00', '2026-03-29T02:30']) {
      await pages.fill({ at: single, articles: ['FIBRE-300'] });
      assert.equal(await which.count(), 0);
    }
    await pages.record.click();
    await page.getByText('There is no such time on this day').waitFor();
    await pages.hasFocus(pages.when);
    for (const [event_at, label, recorded] of [
      ['2026-10-25T02:30', 'The second, in winter time (+01:00)', '2026-10-25T01:30:00.000+00:00'],
      ['2026-10-25T02:30', 'The first, in summer time (+02:00)', '2026-10-25T00:30:00.000+00:00'],
    ] as const) {
      await pages.fill({ at: event_at, articles: ['FIBRE-300'] });
      await pages.record.click();
      await pages.hasFocus(which);
      await traveller.checkAccessibility();
      await which.selectOption({ label });
      await pages.record.click();
      await pages.isAt(`entities/${entity_id}`);
      assert.ok((await eventsOf(stack, entity_id)).some((event) => event.event_at === recorded));
      await pages.begin('Update');
    }
    await portal.chooseLanguage('Deutsch');
    await page.getByLabel('Zeitpunkt').fill('2026-10-25T02:30');
    await page.getByLabel('Welche der beiden?').selectOption({ label: 'Die zweite, in Winterzeit (+01:00)' });
    await traveller.checkAccessibility();
  },

  'the list has filters for state, ISP and article, which are kept in the URL': async (traveller) => {
    const { page, stack, width } = traveller;
    const article = `ONLY-${width}-${crypto.randomUUID().slice(0, 8)}`;
    const { entity_id, isp } = await activate(stack, article);
    const other = await activate(stack);
    const pages = await at(traveller, 'entities');
    await pages.narrow({ state: 'active', isp: other.isp });
    // At first the page still shows the list without filters.
    await until('one entity', async () => (await pages.entities.count()) === 1);
    await pages.entities.getByTitle(other.entity_id).waitFor();
    await traveller.checkAccessibility();

    await page.goto(`${pages.url}entities`);
    await pages.arrive();
    await pages.narrow({ article });
    await pages.entities.getByTitle(entity_id).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('article_code'), article);
    await page.getByText(`Article code: ${article}`).waitFor();
    await traveller.checkAccessibility();
    await page.reload();
    await pages.entities.getByTitle(entity_id).waitFor();
    assert.equal(await page.getByLabel('Article code').inputValue(), article);
    await pages.narrow({ state: 'inactive' });
    await page.getByText('No entity matches these filters.').waitFor();
    await page.goBack();
    await pages.entities.getByTitle(entity_id).click();
    await pages.isAt(`entities/${entity_id}`);
    await page.getByText(isp).first().waitFor();
  },

  'an error in a filter is shown next to its field': async (traveller) => {
    const { page } = traveller;
    traveller.expects(/422/);
    const pages = await at(traveller, `entities?partner_id=nobody&article_code=${'x'.repeat(65)}`);
    await page.waitForFunction(() => document.querySelectorAll('[aria-invalid=true]').length >= 2);
    await pages.failure.waitFor();
    await traveller.checkAccessibility();
    await page.getByRole('button', { name: 'Remove all filters' }).click();
    await pages.isAt('entities');
    await page.waitForFunction(() => document.querySelectorAll('[aria-invalid=true]').length === 0);
  },

  'only the latest 1,000 of 1,200 steps are shown, and the page says so': async (traveller) => {
    const { page, stack } = traveller;
    const entity_id = await (manySteps ??= recordSteps(stack, 1_200));
    const pages = await at(traveller, `entities/${entity_id}`);
    await pages.drawing.waitFor();
    await page.getByText('Only the latest 1,000 changes are shown').first().waitFor();
    assert.equal(await pages.charges.count(), 50);
    assert.match((await pages.charges.first().textContent()) ?? '', /A-1198/);
    const more = page.getByRole('button', { name: 'Show more' });
    await page.getByText('50 of 1,000', { exact: true }).waitFor();
    await more.first().click();
    assert.equal(await pages.charges.count(), 100);
    await more.last().click();
    await pages.events.nth(99).waitFor();
    await traveller.checkAccessibility();
  },

  'emoji and markup are treated as ordinary text': async (traveller) => {
    const { page, stack, width } = traveller;
    const script = `<script>document.title='hacked'</script><img src=x onerror="document.title='hacked'">`;
    const name = '🧶'.repeat(255 - String(width).length) + width;
    const [partner_id, entity_id] = [await createIsp(stack, name), crypto.randomUUID()];
    await put(stack, {
      entity_id,
      event_type: 'activation',
      event_at: '2026-01-15T09:30:00+01:00',
      sys_attributes: { partner_id, article_codes: ['<b>bold</b>', '<i>'], option82: script, partner_reference: script },
      usr_reference: script,
      comment: script,
      usr_attributes: { [script]: script },
    });
    const pages = await at(traveller, `entities/${entity_id}`);
    await pages.drawing.waitFor();
    await pages.events.getByText(script).first().waitFor();
    await page.getByRole('link', { name }).first().waitFor();
    assert.equal(await page.title(), `${script} · Open Access Fibre`);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await traveller.checkAccessibility();
    await page.goto(`${pages.url}entities/${entity_id}/record?type=notification`);
    await page.getByLabel(/^ISP(?! reference)/).selectOption({ label: name });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  },

  'no input is lost if the session ends while a form is being filled in': atOneWidth(async (traveller) => {
    const { page, stack } = traveller;
    traveller.expects(/400/);
    const { entity_id } = await activate(stack);
    const pages = await at(traveller, `entities/${entity_id}/record?type=update`);
    await pages.fill({ at: '2026-03-01T00:00', articles: ['KEPT'] });
    await stack.forgetSessions();
    await traveller.waitTwoHours();
    await pages.record.click();
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    const [window] = await Promise.all([page.waitForEvent('popup'), page.getByRole('button', { name: 'Sign in again' }).click()]);
    await new EntitiesPages(window, pages.url).signIn();
    await pages.isAt(`entities/${entity_id}`);
    assert.deepEqual((await eventsOf(stack, entity_id)).at(-1)?.sys_attributes?.article_codes, ['KEPT']);
  }),

  'an update can be recorded with only the keyboard': atOneWidth(async (traveller) => {
    const { page, stack } = traveller;
    const { keyboard } = page;
    const { entity_id } = await activate(stack);
    const pages = await at(traveller, `entities/${entity_id}`);
    await page.getByRole('link', { name: 'Update …' }).waitFor();
    const tabTo = async (matches: string): Promise<void> => {
      for (let i = 0; i < 40; i++) {
        await keyboard.press('Tab');
        const label = await page.evaluate(() => {
          const focused = document.activeElement as HTMLInputElement | null;
          return focused?.getAttribute('aria-label') ?? focused?.labels?.[0]?.textContent ?? focused?.textContent ?? '';
        });
        if (label.trim().startsWith(matches)) return;
      }
      assert.fail(`Tab does not reach ${matches}`);
    };
    await tabTo('Update …');
    await keyboard.press('Enter');
    await pages.when.waitFor();
    await tabTo('When it took place');
    // This input works for every order of day and month, and for 12-hour and 24-hour clocks.
    await keyboard.type('02022026');
    await keyboard.press('Tab');
    await keyboard.type('1111AM');
    await tabTo('Articles');
    await keyboard.press('Control+A');
    await keyboard.type('BY-KEY');
    await keyboard.press('Enter');
    await keyboard.type('VOICE');
    await tabTo('Record');
    await keyboard.press('Enter');
    await pages.isAt(`entities/${entity_id}`);
    const update = (await eventsOf(stack, entity_id)).at(-1);
    assert.deepEqual([update?.event_at, update?.sys_attributes?.article_codes], ['2026-02-02T10:11:00.000+00:00', ['BY-KEY', 'VOICE']]);
  }),

  'the entity pages work in both languages and themes, and axe finds no violations': async (traveller) => {
    const { portal, page, stack } = traveller;
    const { entity_id } = await activate(stack);
    await put(stack, { entity_id, event_type: 'notification', event_at: '2030-01-01T00:00:00+01:00' });
    const pages = await at(traveller, `entities/${entity_id}`);
    for (const [language, theme] of [
      ['Deutsch', 'dark'],
      ['English', 'light'],
    ] as const) {
      await portal.chooseLanguage(language);
      await page.emulateMedia({ colorScheme: theme });
      for (const path of [`entities/${entity_id}`, `entities/${entity_id}/record?type=update`, 'entities/new', 'entities', 'isps/new']) {
        await page.goto(pages.url + path);
        await pages.arrive();
        await page.locator('.loading').first().waitFor({ state: 'detached' });
        await traveller.checkAccessibility();
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${path} is wider than the window`);
      }
    }
  },

  'an entity without events is not there, and its first one can be recorded': async (traveller) => {
    const { page } = traveller;
    traveller.expects(/404/);
    const entityId = crypto.randomUUID();
    const pages = await at(traveller, `entities/${entityId}`);
    await pages.failure.getByText('Not found').waitFor();
    await traveller.checkAccessibility();
    await page.getByRole('link', { name: 'Back to the list' }).waitFor();
    await pages.open(`entities/${entityId}/record?type=notification`);
    await pages.fill({ at: '2030-01-01T00:00' });
    await pages.record.click();
    await pages.isAt(`entities/${entityId}`);
    await pages.state.getByText('announced', { exact: true }).waitFor();
  },

  'going back from an entity restores the list': async (traveller) => {
    const { page, stack, width } = traveller;
    const article = `BACK-${width}`;
    const partner_id = await createIsp(stack, `Back ${width}`);
    for (let i = 0; i < 120; i++) {
      const sys_attributes = { partner_id, article_codes: [article] };
      await put(stack, { entity_id: crypto.randomUUID(), event_type: 'activation', event_at: '2026-01-15T09:30:00+01:00', sys_attributes });
    }
    const pages = await at(traveller, `entities?article_code=${article}`);
    for (const count of [100, 120]) {
      await page.getByRole('button', { name: 'Show more' }).click();
      await pages.entities.nth(count - 1).waitFor();
    }
    const link = pages.entities.nth(110).locator('a.opens');
    await link.scrollIntoViewIfNeeded();
    const before = await page.evaluate(() => scrollY);
    await link.click();
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
    await page.goBack();
    await pages.entities.nth(119).waitFor();
    await page.waitForFunction((y) => Math.abs(scrollY - y) < 5, before);
  },
});
