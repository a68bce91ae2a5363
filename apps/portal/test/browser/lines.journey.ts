import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { journeys } from './journey.js';

const PARTNER = '0192d3a5-7c10-7e8b-a2c6-3f9d5b7a1e98';

journeys('My lines', {
  'an ISP finds whose a circuit was, whom to call, and downloads its lines': async (traveller) => {
    const { portal, page, stack, width } = traveller;
    await stack.api('PUT', `/api/v2/sys/isps/${PARTNER}/`, { name: 'Ivan Net', isp_tenant: 'isp.demo' });
    const [circuit, reference] = [`OLT ${width}`, `K-${width}`];
    const [first, second] = [crypto.randomUUID(), crypto.randomUUID()];
    const put = (body: object) => stack.api('PUT', '/api/v2/sys/events/', body);
    const sys_attributes = { partner_id: PARTNER, article_codes: ['FIBRE-100'], option82: circuit };
    await put({ entity_id: first, event_type: 'activation', event_at: '2026-01-02T12:00:00+01:00', sys_attributes });
    await put({ entity_id: first, event_type: 'deactivation', event_at: '2026-01-10T12:00:00+01:00' });
    const later = { ...sys_attributes, partner_reference: reference };
    await put({ entity_id: second, event_type: 'activation', event_at: '2026-01-12T12:00:00+01:00', sys_attributes: later });

    await portal.open('', 'ivan@isp.demo');
    await portal.isAt(/^coverage/);
    await portal.chooseFromMenu('My lines');
    const rows = page.getByRole('table', { name: 'My lines' }).locator('tbody tr');
    const filter = async (label: string, value: string) => {
      await page.getByLabel(label).fill(value);
      await page.getByLabel(label).press('Enter');
    };
    await filter('Circuit (option82)', circuit);
    await rows.filter({ hasText: reference }).waitFor();
    assert.equal(await rows.count(), 1);
    await traveller.checkAccessibility();
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await filter('As of', '2026-01-05T03:12');
    await rows.filter({ has: page.getByTitle(first) }).waitFor();
    assert.equal(await rows.count(), 1);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const file = await download;
    assert.equal(file.suggestedFilename(), 'lines.csv');
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
    assert.deepEqual([lines.length, lines[1]?.includes(first)], [2, true]);
    await filter('As of', '2026-01-11T12:00');
    await page.getByText('No line of yours matches.').waitFor();
    await page.getByRole('button', { name: 'Remove all filters' }).click();
    await rows.first().waitFor();
    await page.getByRole('heading', { name: 'Whom to call' }).waitFor();
    await portal.chooseLanguage('Deutsch');
    await page.getByRole('heading', { level: 1, name: 'Meine Leitungen' }).waitFor();
    await traveller.checkAccessibility();
  },
});
