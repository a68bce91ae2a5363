import assert from 'node:assert/strict';
import { journeys } from './journey.js';
import { addNodes, createNodes } from './setup/places.js';

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
      await createNodes(stack, 'First', 'nodes', [{ center: '48, 16', token: 'operation' }]);
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
    const production = page
      .getByRole('row')
      .filter({ hasText: /^in operation/ })
      .getByRole('cell')
      .nth(1);
    await production.getByText('1', { exact: true }).waitFor();
    assert.equal(await steps.count(), 0);
    await traveller.checkAccessibility();
    await page.getByRole('listitem').filter({ hasText: 'announced' }).getByRole('link', { name: /^\d+$/ }).click();
    await portal.isAt('entities?state=announced');
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
    const line = page.getByRole('listitem').filter({ hasText: 'no relation (0192d3a5…)' });
    await line.getByRole('link', { name: 'Merge 1' }).first().waitFor();
    await traveller.checkAccessibility();
    await portal.open(`relations/${relation_id}`);
    await page.getByText('Nodes name this id: 1 in pre-production and 0 in production.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0);
    await traveller.checkAccessibility();
    await page.getByRole('link', { name: 'Show the nodes' }).click();
    await page.getByRole('table', { name: 'Access nodes' }).getByText('47.5, 14.5').first().waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Merge or delete' }).click();
    await page.getByText('No relation has this id, but nodes name it.').waitFor();
    await page.getByText('1 of them will be new in production').waitFor();
    await page.getByRole('button', { name: /^Merge 1 access nodes/ }).click();
    await page.getByText('1 moved to production').waitFor();
    await page.getByRole('complementary').getByText('Production', { exact: true }).click();
    await page.getByLabel(`Type ${relation_id} to confirm`).fill(relation_id);
    await page.getByRole('button', { name: 'Delete all' }).click();
    await page.getByText('The access nodes were deleted').waitFor();
    await portal.open(`relations/${crypto.randomUUID()}`);
    await page.getByText('Not found').waitFor();
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await portal.isAt('relations');
  },

  'the search box, focused by pressing /, finds a record by its id, its name or its reference': async (traveller) => {
    const { portal, page, stack, width } = traveller;
    // The portal does not know what kind of record an id belongs to, so it tries all kinds.
    traveller.expects(/404/);
    const relation_id = await createNodes(stack, `Sought ${width}`, 'nodes', [
      { center: '10, 20', token: 'planned', customer_reference: `order-${width}`, address_id: `address-${width}` },
      { center: '10, 21', token: 'planned', customer_reference: `Sought ${width}` },
    ]);
    const entity_id = crypto.randomUUID();
    const sys_attributes = { partner_id: crypto.randomUUID(), article_codes: ['A'], option82: `port-${width}` };
    const event = { entity_id, event_type: 'activation', event_at: '2026-01-01T00:00:00+01:00', sys_attributes };
    const { event_id } = await stack.api<{ event_id: string }>('PUT', '/api/v2/sys/events/', event);
    await portal.open();
    const box = page.getByRole('searchbox', { name: 'Find a record' });
    const find = async (text: string): Promise<void> => {
      if (width < 800 && !(await box.isVisible())) await page.getByRole('button', { name: 'Menu' }).click();
      await portal.heading.focus();
      await page.keyboard.press('/');
      await portal.hasFocus(box);
      await box.fill(text);
      await page.keyboard.press('Enter');
    };
    await find(relation_id);
    await portal.isAt(`relations/${relation_id}`);
    // Wait, because a page takes the focus when it appears.
    await page.getByRole('heading', { level: 1, name: `Sought ${width}` }).waitFor();
    for (const id of [entity_id, event_id, `port-${width}`]) {
      await find(id);
      await portal.isAt(`entities/${entity_id}`);
      await page.getByRole('heading', { level: 1, name: entity_id }).waitFor();
    }
    for (const text of [`order-${width}`, `address-${width}`]) {
      await find(text);
      await page.getByRole('region', { name: 'Access node' }).getByText('10, 20').waitFor();
    }
    await find(`Sought ${width}`);
    await page.getByRole('main').getByRole('link').nth(1).waitFor();
    assert.deepEqual(await page.getByRole('main').getByRole('link').allTextContents(), [`Sought ${width}`, '10, 21']);
    await traveller.checkAccessibility();
    await find('no such thing');
    await page.getByText('No record has no such thing').waitFor();
    await traveller.checkAccessibility();
  },

  'a list says exactly how many records it has': async (traveller) => {
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
  },

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
    // An open range ends with the first or the last day there is. The list without a range begins with the events of other journeys.
    await page.getByLabel('Took place from').fill('2024-05-01');
    await days(3);
    await page.getByLabel('Took place from').fill('2024-05-03');
    await portal.isAt('events?period=2024-05-03');
    await days(2);
    await page.getByLabel('Took place from').fill('');
    await page.getByLabel('until').fill('2024-05-03');
    await portal.isAt('events?period_end=2024-05-03');
    // Other journeys have recorded more events before that day than the first page shows.
    await page
      .getByText(/ of (more than )?[\d,]+$| in all$/)
      .first()
      .waitFor();
    await table.locator('tbody tr').first().waitFor();
    await page.getByLabel('Took place from').fill('2024-05-03');
    await page.getByLabel('until').fill('2024-05-04');
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
    await page.getByLabel('Which').selectOption('never overwritten');
    await portal.isAt(/token=untouched/);
    await rows.first().waitFor();
    await page.getByLabel('until').fill('2024-05-01');
    traveller.expects(/422/);
    await page.getByText('must not be before period').first().waitFor();
    assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0);
    await traveller.checkAccessibility();
  },
});
