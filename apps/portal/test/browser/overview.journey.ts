import assert from 'node:assert/strict';
import type { Locator, Page } from '../../../../extra/browser.js';
import { until } from '@fibre/testing/processes';
import { atOneWidth, journeys } from './journey.js';
import { addNodes, createNodes } from './setup/places.js';

/** One of the figures at the top. */
const figure = (page: Page, title: string): Locator =>
  page.locator('.figures > div').filter({ has: page.getByText(title, { exact: true }) });

// The order matters: the first test expects that there are no records yet.
journeys('overview', {
  'a newcomer sees three steps, which are ticked off when done, and then counts that link to the next action': async (traveller) => {
    const { portal, page, stack, width } = traveller;
    await portal.open();
    const steps = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('link', { name: /^(Create a relation|Import access nodes|Record the first)/ }) });
    if (width > 500) {
      await steps.nth(2).waitFor();
      await traveller.checkAccessibility();
      await createNodes(stack, 'First', 'nodes', [{ center: '48, 16', token: 'operation', units: 2, units_connected: 1 }]);
      await page.reload();
      await page.getByText('✓ Create a relation').waitFor();
      await page.getByText('✓ Import access nodes').waitFor();
      assert.equal(await steps.count(), 1);
      const event = { entity_id: crypto.randomUUID(), event_type: 'notification', event_at: '2026-01-01T00:00:00+01:00' };
      await stack.api('PUT', '/api/v2/sys/events/', event);
    }
    const [relation] = await stack.api<{ relation_id: string }[]>('GET', '/v2/cov/relations/?name=First');
    await addNodes(stack, relation!.relation_id, 'prenodes', [{ center: `49.${width}, 17`, token: 'planned' }]);
    await page.reload();
    await figure(page, 'Nodes in operation').getByRole('link', { name: '1', exact: true }).waitFor();
    assert.equal(await steps.count(), 0);
    await traveller.checkAccessibility();
    await figure(page, 'Nodes in operation').getByRole('link', { name: '1 with connected homes' }).click();
    await portal.isAt(/^coverage\?connected=true&panel=list/);
    await page.getByRole('table', { name: 'Access nodes' }).getByText('48, 16').first().waitFor();
    await page.goBack();
    await figure(page, 'Active entities').getByRole('link').click();
    await portal.isAt('entities?state=active');
    await page.goBack();
    await page
      .getByRole('listitem')
      .filter({ hasText: 'First' })
      .getByRole('link', { name: /^Merge/ })
      .click();
    await page.getByRole('button', { name: /^Merge \d access nodes/ }).waitFor();
  },

  'nodes that name an id that no relation has are waiting too, and can be listed, merged and deleted': async (traveller) => {
    const { portal, page, stack } = traveller;
    traveller.expects(/404/);
    const relation_id = `0192d3a5-7c10-7e8b-a2c6-${crypto.randomUUID().slice(-12)}`;
    await addNodes(stack, relation_id, 'prenodes', [{ center: '47.5, 14.5', token: 'planned' }]);
    await portal.open();
    const line = page.getByRole('listitem').filter({ hasText: 'no relation (…' });
    const merge = line.getByRole('link', { name: 'Merge 1' }).and(page.locator(`[href*="${relation_id}"]`));
    await merge.waitFor();
    await traveller.checkAccessibility();
    // The imports of the last day name it too.
    const waiting = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Waiting for a merge' }) });
    await waiting.locator(`a[href*="panel=list&relation_id=${relation_id}"]`).click();
    await page.getByRole('table', { name: 'Access nodes' }).getByText('47.5, 14.5').first().waitFor();
    await page.goBack();
    await merge.click();
    await page.getByText('No relation has this id, but nodes name it.').waitFor();
    await traveller.checkAccessibility();
    await page.getByText('1 of them will be new in production').waitFor();
    await page.getByRole('button', { name: /^Merge 1 access nodes/ }).click();
    await page.getByText('1 moved to production').waitFor();
    await page.getByRole('complementary').getByText('Production', { exact: true }).click();
    await page.getByLabel(`Type ${relation_id} to confirm`).fill(relation_id);
    await page.getByRole('button', { name: 'Delete all' }).click();
    await page.getByText('The access nodes were deleted').waitFor();
    await portal.open(`relations/${crypto.randomUUID()}`);
    await page.getByText('Not found').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0);
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await portal.isAt('relations');
  },

  'four figures come first, then the months as a chart with a table, and what waits is not what a limit allows': async (traveller) => {
    const { portal, page, stack, width } = traveller;
    const partner_id = crypto.randomUUID();
    const record = (entity_id: string, event_type: string, event_at: string): Promise<unknown> =>
      stack.api('PUT', '/api/v2/sys/events/', {
        entity_id,
        event_type,
        event_at,
        ...(event_type === 'activation' && { sys_attributes: { partner_id, article_codes: ['A'] } }),
      });
    // In the middle of months, so that no clock change matters.
    const monthsAgo = (count: number): string => {
      const now = new Date();
      return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count, 15, 12)).toISOString().slice(0, 7);
    };
    const offset = (month: string): string => (['04', '05', '06', '07', '08', '09', '10'].includes(month.slice(5)) ? '+02:00' : '+01:00');
    for (const count of [1, 1, 2, 5]) {
      const entity = crypto.randomUUID();
      await record(entity, 'activation', `${monthsAgo(count)}-15T12:00:00${offset(monthsAgo(count))}`);
      if (count === 5) await record(entity, 'deactivation', `${monthsAgo(3)}-15T12:00:00${offset(monthsAgo(3))}`);
    }
    if (width > 500)
      for (let part = 0; part < 3; part++) {
        const nodes = Array.from({ length: 4_000 }, (_, index) => ({
          center: `46.${100_000 + part * 4_000 + index}, 12`,
          token: 'planned',
        }));
        await createNodes(stack, `Many ${part}`, 'prenodes', nodes);
      }
    await portal.open();
    const waiting = figure(page, 'Nodes waiting for a merge').getByRole('link');
    await waiting.waitFor();
    const text = await waiting.textContent();
    // 12,000 nodes cannot be counted exactly, and are not 10,001.
    assert.match(text!, /^(about 1[1-4],000|more than 10,000)$/);
    assert.equal(await figure(page, 'Activations this month').locator('.figure').textContent(), '0');
    assert.match((await figure(page, 'Activations this month').textContent())!, /[2-9] last month$/);
    const table = page.getByRole('table', { name: /^Activations and deactivations/ });
    assert.equal(await table.getByRole('row').count(), 13);
    const cells = async (row: number): Promise<string[]> =>
      (await table.getByRole('row').nth(row).getByRole('cell').allTextContents()).slice(1);
    const [before, last] = [await cells(9), await cells(11)];
    assert.deepEqual([Number(before[1]) > 0, Number(last[0]) >= 2, Number(last[2]) >= 3], [true, true, true]);
    await page.locator('.trend rect').first().waitFor({ state: 'attached' });
    for (const heading of await page.getByRole('heading', { level: 2 }).all()) {
      const section = page.locator('section').filter({ has: heading });
      if ((await section.count()) > 0) assert.ok(await section.getByRole('listitem').or(section.getByRole('row')).count());
    }
    await traveller.checkAccessibility();
  },

  'what waits is named: the last month until it is closed, then what was recorded late, and the imports of the last day': async (
    traveller,
  ) => {
    const { portal, page, stack, width } = traveller;
    const first = new Date();
    first.setUTCDate(1);
    const to = first.toISOString().slice(0, 10);
    first.setUTCMonth(first.getUTCMonth() - 1);
    const from = first.toISOString().slice(0, 10);
    const todo = page.locator('section').filter({ has: page.getByRole('heading', { name: 'To invoice' }) });
    await portal.open();
    if (width > 500) {
      await todo.getByText('not closed').first().waitFor();
      await traveller.checkAccessibility();
    }
    await stack.api('POST', '/api/v2/sys/closings/', { from, to });
    await page.reload();
    await page.getByRole('heading', { name: 'Imports of the last day' }).waitFor();
    await todo.getByText('not closed').waitFor({ state: 'detached' });
    await stack.api('PUT', '/api/v2/sys/events/', {
      entity_id: crypto.randomUUID(),
      event_type: 'activation',
      event_at: `${from.slice(0, 8)}10T12:00:00Z`,
      event_timezone: 'UTC',
      sys_attributes: { partner_id: crypto.randomUUID(), article_codes: ['LATE'] },
    });
    // What other tests recorded just before the closing may be corrections too.
    const corrections = todo.getByRole('link', { name: /^\d+ lines? to correct$/ });
    await until('the correction is there', async () => {
      await page.reload();
      await page.getByRole('heading', { name: 'Imports of the last day' }).waitFor();
      await page.waitForLoadState('networkidle');
      return corrections.isVisible();
    });
    const imports = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Imports of the last day' }) });
    await imports.getByText('by ano-demo').first().waitFor();
    await traveller.checkAccessibility();
    await portal.chooseLanguage('Deutsch');
    await page.getByText(/^\d+ Anschl(uss|üsse) zu korrigieren$/).waitFor();
    await traveller.checkAccessibility();
    await portal.chooseLanguage('English');
    await corrections.click();
    await portal.isAt(/^billing\?period=/);
  },

  'the search box suggests records while one types, whatever the case, and the keyboard chooses one': async (traveller) => {
    const { portal, page, stack, width } = traveller;
    const relation_id = await createNodes(stack, `Sought ${width}`, 'nodes', [
      { center: '10, 20', token: 'planned', customer_reference: `order-${width}`, address_id: `address-${width}` },
      { center: '10, 21', token: 'planned', customer_reference: `sought ${width}` },
    ]);
    const entity_id = crypto.randomUUID();
    const sys_attributes = { partner_id: crypto.randomUUID(), article_codes: ['A'], option82: `eth 0/1/7:${width}` };
    const event = { entity_id, event_type: 'activation', event_at: '2026-01-01T00:00:00+01:00', sys_attributes };
    const { event_id } = await stack.api<{ event_id: string }>('PUT', '/api/v2/sys/events/', event);
    const end = { entity_id, event_type: 'deactivation', event_at: '2026-01-02T00:00:00+01:00' };
    await stack.api('PUT', '/api/v2/sys/events/', end);
    await portal.open();
    const box = page.getByRole('combobox', { name: 'Find a record' });
    const options = page.getByRole('search').getByRole('option');
    const type = async (text: string): Promise<void> => {
      if (width < 800 && !(await box.isVisible())) await page.getByRole('button', { name: 'Menu' }).click();
      await box.fill('');
      await box.pressSequentially(text);
    };
    await type(`SOUGHT ${width}`);
    await options.nth(1).waitFor();
    assert.equal(await box.getAttribute('aria-expanded'), 'true');
    await page.getByRole('status').getByText('2 found').waitFor();
    await traveller.checkAccessibility();
    await page.keyboard.press('ArrowDown');
    const active = (await box.getAttribute('aria-activedescendant'))!;
    assert.equal(await page.locator(`[id="${active}"]`).getAttribute('aria-selected'), 'true');
    await page.keyboard.press('ArrowUp');
    assert.equal(await box.getAttribute('aria-activedescendant'), null);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await portal.isAt(`relations/${relation_id}`);
    await page.getByRole('heading', { level: 1, name: `Sought ${width}` }).waitFor();
    // Of an ended subscription, of an event, and by the last characters of an id.
    for (const text of [`ETH 0/1/7:${width}`, event_id, entity_id.slice(-8)]) {
      await type(text);
      await options.first().waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await portal.isAt(`entities/${entity_id}`);
      await page.getByText(entity_id, { exact: true }).first().waitFor();
    }
    for (const text of [`ORDER-${width}`, `address-${width}`]) {
      await type(text);
      await options.first().click();
      await page.getByRole('region', { name: 'Access node' }).getByText('10, 20').waitFor();
    }
    await type(`sought ${width}`);
    await options.first().waitFor();
    await page.keyboard.press('Escape');
    await options.first().waitFor({ state: 'hidden' });
    // Before all have answered, Enter waits for the first result.
    await type(`order-${width}`);
    await page.keyboard.press('Enter');
    await portal.isAt(/^coverage\?.*node=/);
    await portal.open();
    await type('no such thing');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing found for no such thing').waitFor();
    await traveller.checkAccessibility();
  },

  'a coordinate or a town leads to its place on the map, also from the map': async ({ portal, page, width }) => {
    await portal.open();
    const box = page.getByRole('combobox', { name: 'Find a record' });
    const choose = async (text: string): Promise<void> => {
      if (width < 800 && !(await box.isVisible())) await page.getByRole('button', { name: 'Menu' }).click();
      await box.fill(text);
      await page.getByRole('search').getByRole('option', { name: 'Place' }).first().waitFor();
      await box.press('ArrowDown');
      await box.press('Enter');
    };
    for (const [text, place] of [
      ['47,9181; 13,7993', /view=16\.00\/47\.918\d+\/13\.799/],
      ['GMUNDEN', /view=12\.00\/47\.91\d+\/13\.79/],
      ['48.2, 16.37', /view=16\.00\/48\.(20|19)\d+\/16\.(37|36)/],
    ] as const) {
      await choose(text);
      await page.locator('[data-map-state="idle"]').waitFor();
      // The map itself writes where it is.
      await page.waitForFunction((pattern) => new RegExp(pattern).test(decodeURIComponent(location.search)), place.source);
    }
  },

  'a reference is never taken for a town, and Enter opens only what was typed': atOneWidth(async (traveller) => {
    const { portal, page, stack, width } = traveller;
    const name = `Salzkammergut Breitband ${width}`;
    const { partner_id } = await stack.api<{ partner_id: string }>('POST', '/api/v2/sys/isps/', { name });
    const entities = [crypto.randomUUID(), crypto.randomUUID()] as const;
    for (const [index, entity_id] of entities.entries())
      await stack.api('PUT', '/api/v2/sys/events/', {
        entity_id,
        event_type: 'activation',
        event_at: '2026-01-01T00:00:00+01:00',
        usr_reference: `MUR-2026-0050${index}`,
        sys_attributes: { partner_id, article_codes: ['A'], option82: `olt3/1/7-${width}` },
      });
    const closing = { from: '2026-01-01', to: '2026-02-01', partner_id, reference: `RE-2026-10-${width}` };
    const { closing_id } = await stack.api<{ closing_id: string }>('POST', '/api/v2/sys/closings/', closing);
    await portal.open();
    const box = page.getByRole('combobox', { name: 'Find a record' });
    const options = page.getByRole('search').getByRole('option');
    const enter = async (text: string): Promise<void> => {
      await box.fill(text);
      await box.press('Enter');
    };
    for (const reference of ['MUR-2026-00999', 'Gmunden/3', 'Wien_2', 'Wien: 7', 'Re-3', 'olt9/1/7']) {
      await enter(reference);
      await page.getByText(`Nothing found for ${reference}`).waitFor();
      await portal.isAt('');
    }
    // Two begin like this, so none of them is meant; nor is a town whose name is longer.
    for (const beginning of ['MUR-2026-0050', 'Gmunde', `olt3/1/7-${width}`]) {
      await enter(beginning);
      await page.locator('.suggestions').getByText('Several may be meant').waitFor();
      await portal.isAt('');
    }
    await traveller.checkAccessibility();
    // A choice opens it all the same.
    await box.press('ArrowDown');
    await box.press('Enter');
    await portal.isAt(/^entities\//);
    for (const [text, path, words] of [
      ['mur-2026-00500', `entities/${entities[0]}`, 'Entity · your reference'],
      ['breitband', `isps/${partner_id}`, 'ISP'],
      [entities[1].slice(-8), `entities/${entities[1]}`, 'Entity · entity_id'],
      [entities[1], `entities/${entities[1]}`, 'Entity · entity_id'],
    ] as const) {
      await portal.open();
      await box.fill(text);
      await options.getByText(words, { exact: true }).waitFor();
      await box.press('Enter');
      await portal.isAt(path);
    }
    await enter(closing.reference);
    await page.getByRole('heading', { level: 1, name: 'January 2026' }).waitFor();
    const { searchParams } = new URL(page.url());
    assert.deepEqual([searchParams.get('closing'), searchParams.get('partner_id')], [closing_id, partner_id]);
    await enter('GMÜNDEN');
    await portal.isAt(/^coverage\?view=12/);
    await page.locator('[data-map-state="idle"]').waitFor();
  }),

  'places are suggested with the names of provinces and countries in the language of the portal': atOneWidth(async ({ portal, page }) => {
    for (const [language, within] of [
      ['English', 'Upper Austria, Austria'],
      ['Deutsch', 'Oberösterreich, Österreich'],
    ] as const) {
      await portal.open();
      await portal.chooseLanguage(language);
      await page.getByRole('combobox', { name: /Find a record|Eintrag oder Ort finden/ }).fill('gmunden');
      await page.getByRole('option', { name: within }).waitFor();
    }
  }),

  'each service answers for itself, and the other one is named': async (traveller) => {
    const { portal, page, stack, width } = traveller;
    traveller.expects(/ERR_FAILED|ERR_CONNECTION|503/);
    await createNodes(stack, `Alone ${width}`, 'nodes', []);
    await portal.open();
    await page.route('**/api/v2/sys/find*', (route) => route.abort());
    const box = page.getByRole('combobox', { name: 'Find a record' });
    if (width < 800 && !(await box.isVisible())) await page.getByRole('button', { name: 'Menu' }).click();
    await box.fill(`alone ${width}`);
    await page
      .getByRole('search')
      .getByRole('option', { name: `Alone ${width}` })
      .waitFor();
    await page.locator('.suggestions').getByText('no results from event-service').waitFor();
    await traveller.checkAccessibility();
    await box.press('Enter');
    await portal.isAt(/^relations\//);
  },

  'a list says exactly how many records it has': atOneWidth(async (traveller) => {
    const { portal, page, stack, width } = traveller;
    const day = `2023-05-${width === 390 ? 10 : 11}`;
    const record = (second: number): Promise<unknown> => {
      const event_at = `${day}T12:00:${String(second).padStart(2, '0')}+02:00`;
      return stack.api('PUT', '/api/v2/sys/events/', { entity_id: crypto.randomUUID(), event_type: 'notification', event_at });
    };
    // One after the other: on a busy machine, a service would reject some of 53 requests of one client at once.
    for (let second = 0; second < 53; second++) await record(second);
    await portal.open(`events?period=${day}&period_end=${day}`);
    await page.getByText('50 of 53', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByText('53 in all', { exact: true }).waitFor();
  }),

  'the events of all entities can be filtered by kind, ISP and the day on which they were recorded': atOneWidth(async (traveller) => {
    const { portal, page, stack } = traveller;
    const isp = `Kinds ${crypto.randomUUID()}`;
    const { partner_id } = await stack.api<{ partner_id: string }>('POST', '/api/v2/sys/isps/', { name: isp });
    const entity_id = crypto.randomUUID();
    const put = (event_type: string, day: string, more: object = {}) =>
      stack.api('PUT', '/api/v2/sys/events/', { entity_id, event_type, event_at: `2026-01-${day}T12:00:00+01:00`, ...more });
    await put('activation', '01', { sys_attributes: { partner_id, article_codes: ['A'], option82: 'eth 7', partner_reference: 'R-7' } });
    await put('notification', '02');
    await put('deactivation', '03');
    const asked: string[] = [];
    page.on('request', (request) => request.url().includes('/sys/entities') && asked.push(request.url()));
    await portal.open('events');
    await page.getByLabel('ISP', { exact: true }).selectOption({ label: isp });
    const rows = page.getByRole('table', { name: 'Events' }).locator('tbody tr');
    await page.getByText('3 in all', { exact: true }).waitFor();
    for (const row of await rows.all()) assert.match(await row.innerText(), /eth 7[^]*Kinds/);
    await page.getByLabel('Type', { exact: true }).selectOption('Deactivation');
    await page.getByText('1 in all', { exact: true }).waitFor();
    await rows.filter({ hasText: '3 Jan 2026' }).getByRole('link', { name: 'eth 7' }).waitFor();
    await page.getByRole('button', { name: 'Type: Deactivation' }).click();
    const [today, tomorrow] = [0, 1].map((days) => new Date(Date.now() + days * 86_400_000).toLocaleDateString('sv'));
    await page.getByLabel('Recorded from').fill(today!);
    await page.getByLabel('Recorded until').fill(today!);
    await page.waitForURL(/recorded_until=/);
    await page.getByText('3 in all', { exact: true }).waitFor();
    await traveller.checkAccessibility();
    await page.getByLabel('Recorded until').fill(tomorrow!);
    await page.getByLabel('Recorded from').fill(tomorrow!);
    await page.getByText('No event matches these filters.').waitFor();
    traveller.expects(/422/);
    await page.getByLabel('Recorded until').fill('2026-01-01');
    await page.getByText('must not be before recorded_from').first().waitFor();
    await portal.chooseLanguage('Deutsch');
    await page.getByText('darf nicht vor dem Beginn liegen').first().waitFor();
    assert.deepEqual(asked, [], 'the list itself says whose the lines are');
  }),

  'the events of all entities can be filtered by day and by token, and exported': async (traveller) => {
    const { portal, page, stack } = traveller;
    const entity_id = crypto.randomUUID();
    for (const day of ['02', '03', '05'])
      await stack.api('PUT', '/api/v2/sys/events/', { entity_id, event_type: 'notification', event_at: `2024-05-${day}T12:00:00+02:00` });
    await portal.open();
    await portal.chooseFromMenu('Events');
    const table = page.getByRole('table', { name: 'Events' });
    const days = async (expected: number): Promise<void> => {
      await page.waitForFunction(
        ([id, count]) => [...document.querySelectorAll('tbody tr')].filter((row) => row.querySelector(`[title="${id}"]`)).length === count,
        [entity_id, expected] as const,
      );
    };
    // The list comes first: what few people filter by takes no room until somebody asks for it.
    const more = page.getByText('More filters', { exact: true });
    await more.waitFor();
    assert.equal(await page.getByLabel('Took place from').isVisible(), false);
    await more.press('Enter');
    // An open range ends with the first or the last day there is. The list without a range begins with the events of other journeys.
    await page.getByLabel('Took place from').fill('2024-05-01');
    await days(3);
    await page.getByLabel('Took place from').fill('2024-05-03');
    await portal.isAt('events?period=2024-05-03');
    await days(2);
    await page.getByLabel('Took place from').fill('');
    await page.getByLabel('Took place until').fill('2024-05-03');
    await portal.isAt('events?period_end=2024-05-03');
    // Other journeys have recorded more events before that day than the first page shows.
    await page
      .getByText(/ of (more than )?[\d,]+$| in all$/)
      .first()
      .waitFor();
    await table.locator('tbody tr').first().waitFor();
    await page.getByLabel('Took place from').fill('2024-05-03');
    await page.getByLabel('Took place until').fill('2024-05-04');
    const rows = table.locator('tbody tr').filter({ has: page.getByTitle(entity_id) });
    await portal.isAt(/period_end=2024-05-04&period=2024-05-03/);
    // The previous list is still visible for a moment.
    await rows.nth(1).waitFor({ state: 'detached' });
    await rows.first().waitFor();
    assert.equal(await rows.count(), 1);
    await traveller.checkAccessibility();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    assert.equal((await download).suggestedFilename(), 'events.csv');
    await page.getByLabel('Which', { exact: true }).selectOption('never overwritten');
    await portal.isAt(/token=untouched/);
    await rows.first().waitFor();
    await page.getByLabel('Took place until').fill('2024-05-01');
    traveller.expects(/422/);
    await page.getByText('must not be before period').first().waitFor();
    // What is set is seen at once, and so is what is wrong with it.
    await page.reload();
    await page.getByRole('button', { name: 'Took place until: 1 May 2024' }).waitFor();
    await page.getByText('must not be before period').first().waitFor();
    assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0);
    await traveller.checkAccessibility();
  },
});
