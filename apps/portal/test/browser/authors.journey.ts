import assert from 'node:assert/strict';
import { until } from '@fibre/testing/processes';
import { journeys } from './journey.js';

/** What the stack's own client is called, and a person who signs in. */
const [CLIENT, ANNA] = ['ano-demo', 'anna@ano.demo'];

journeys('who did it', {
  'stands beside each time, in both languages, and filters events and nodes': async (traveller) => {
    const { portal, page, stack, width } = traveller;
    const name = `Authors ${width}`;
    const { relation_id } = await stack.api<{ relation_id: string }>('POST', '/v2/cov/relations/', { name, pip: 'Stadtnetz' });
    const reference = `authors-${width}`;
    const node = { relation_id, token: 'planned', center: '48.2, 16.3', customer_reference: reference };
    const { node_id } = await stack.api<{ node_id: string }>('POST', '/v2/cov/nodes/', node);
    const entity_id = crypto.randomUUID();
    const event = { entity_id, event_type: 'notification', event_at: '2026-01-15T09:30:00+01:00', usr_reference: reference };
    await stack.api('PUT', '/api/v2/sys/events/', event);
    await stack.api('PUT', '/api/v2/sys/events/', { ...event, comment: 'changed' });
    const closing = { from: '2026-01-01', to: '2026-02-01', reference };
    const { closing_id } = await stack.api<{ closing_id: string }>('POST', '/api/v2/sys/closings/', closing);
    const hook = { url: 'https://crm.example/hook', feed: 'events', enabled: false };
    const { webhook_id } = await stack.api<{ webhook_id: string }>('POST', '/api/v2/sys/webhooks/', hook);

    const fact = (title: string) => page.locator('dt', { hasText: new RegExp(`^${title}$`) }).locator('xpath=following-sibling::dd[1]');
    await portal.open(`relations/${relation_id}`);
    await fact('Created').getByText(`by ${CLIENT}`).waitFor();
    await page.getByLabel('Comment').fill('changed here');
    await page.getByRole('button', { name: 'Save' }).click();
    await fact('Changed').getByText(`by ${ANNA}`).waitFor();
    await fact('Created').getByText(`by ${CLIENT}`).waitFor();
    await traveller.checkAccessibility();

    await portal.open(`coverage?node=${node_id}`);
    await fact('Changed').getByText(`by ${CLIENT}`).waitFor();
    await portal.open(`coverage?panel=list&relation_id=${relation_id}&modified_by=${ANNA}`);
    await page.getByText('No access nodes match these filters.').waitFor();
    await portal.open(`coverage?panel=filters&relation_id=${relation_id}`);
    await page.getByLabel('Created by').fill(CLIENT);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: `Created by: ${CLIENT}` }).waitFor();
    await page.getByLabel('Changed by').waitFor();

    await portal.open(`billing?closing=${closing_id}`);
    await fact('Closed on').getByText(`by ${CLIENT}`).waitFor();
    await portal.open(`webhooks/events/${webhook_id}`);
    await fact('Created').getByText(`by ${CLIENT}`).waitFor();

    await portal.open('events');
    await page.getByText('More filters', { exact: true }).click();
    await page.getByLabel('Overwritten by').fill(CLIENT);
    await page.keyboard.press('Enter');
    const row = page.locator('tbody tr').filter({ hasText: reference });
    await row.getByText(new RegExp(`by ${CLIENT} overwritten .* by ${CLIENT}`)).waitFor();
    await page.getByLabel('Recorded by').fill(ANNA);
    await page.keyboard.press('Enter');
    await page.getByText('No event matches these filters.').waitFor();
    assert.match(page.url(), /modified_by=ano-demo.*created_by=anna|created_by=anna.*modified_by=ano-demo/);

    await portal.open(`entities/${entity_id}`);
    await portal.chooseLanguage('Deutsch');
    const text = async (): Promise<string> => (await page.getByRole('table', { name: 'Ereignisse' }).innerText()).replaceAll(/\s+/g, ' ');
    await until('German', async () => /von ano-demo überschrieben .* von ano-demo/.test(await text()));
    await portal.open(`relations/${relation_id}`);
    await fact('Geändert').getByText(`von ${ANNA}`).waitFor();
    await portal.chooseLanguage('English');
  },
});
