import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChargedStep } from '@fibre/client';
import { journeys } from './journey.js';
import type { Stack } from './setup/stack.js';

const JANUARY = 'from=2026-01-01&to=2026-02-01';

const stepsOf = (stack: Stack, partner_id: string): Promise<ChargedStep[]> =>
  stack.api('GET', `/api/v2/sys/periods/?${JANUARY}&partner_id=${partner_id}`);

async function waitFor(isSettled: () => Promise<boolean>): Promise<void> {
  while (!(await isSettled())) await sleep(100);
}

/** Records events for two entities of a new ISP, one with a second article from the 16th on, and waits until billing includes them. */
async function january(stack: Stack): Promise<{ isp: string; partner_id: string; ended: string }> {
  const isp = `ISP ${crypto.randomUUID()}`;
  const { partner_id } = await stack.api<{ partner_id: string }>('POST', '/api/v2/sys/isps/', { name: isp });
  const put = (body: object) => stack.api('PUT', '/api/v2/sys/events/', body);
  const [one, ended] = [crypto.randomUUID(), crypto.randomUUID()];
  for (const entity_id of [one, ended])
    await put({
      ...{ entity_id, event_type: 'activation', event_at: '2025-12-10T09:00:00+01:00' },
      sys_attributes: { partner_id, article_codes: ['FIBRE-100'] },
    });
  await put({
    ...{ entity_id: one, event_type: 'update', event_at: '2026-01-16T00:00:00+01:00' },
    sys_attributes: { article_codes: ['FIBRE-100', 'VOICE'] },
  });
  await put({ entity_id: ended, event_type: 'deactivation', event_at: '2026-01-06T12:00:00+01:00' });
  await waitFor(async () => (await stepsOf(stack, partner_id)).filter(({ runs_on }) => !runs_on).length === 2);
  return { isp, partner_id, ended };
}

journeys(
  'billing',
  {
    'the charges for an ISP and a month are totalled by article and exported; later events become corrections': async (traveller) => {
      const { portal, page, stack } = traveller;
      const { isp, partner_id, ended } = await january(stack);
      await portal.open();
      await portal.chooseFromMenu('Billing');
      await page.getByRole('heading', { level: 2, name: 'Totals by article' }).waitFor();
      await page.getByLabel('Month').fill('2026-01');
      await page.getByLabel('ISP').selectOption({ label: isp });
      const totals = page.getByRole('table', { name: 'Totals by article' });
      await totals.getByText('VOICE').waitFor();
      const cells = await totals.locator('tbody td').allInnerTexts();
      // 31 days of the first entity and 5.5 days of the second.
      assert.deepEqual(cells, ['FIBRE-100', '2', '36.5', 'VOICE', '1', '16']);
      // What the totals include is not charged again.
      const since = page.getByLabel('Corrections since');
      const [, instant] = /([-\d]{10}T[:.\d]+\+01:00)/.exec(await since.inputValue()) ?? [];
      await page.getByText(instant!, { exact: true }).waitFor();
      await page.getByText('Nothing in this month has changed since then.').waitFor();
      await page.getByRole('button', { name: 'Copy instant' }).click();
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), instant);
      const enter = async (text: string): Promise<void> => {
        await since.fill(text);
        await since.press('Enter');
      };
      await enter(new Date().toISOString().slice(0, 10));
      await page.getByText('Enter a date and a time with UTC offset').waitFor();
      const corrections = page.getByRole('table', { name: 'Corrections' });
      assert.equal(await corrections.count(), 0);
      await traveller.checkAccessibility();
      await enter('2100-01-01T00:00:00Z');
      await page.getByText('This is later than the instant of the totals.').waitFor();
      await enter('2026-01-01T00:00:00+01:00');
      await corrections.getByRole('link', { name: ended }).waitFor();
      assert.equal(await corrections.locator('tbody tr').count(), 2);
      await traveller.checkAccessibility();

      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export CSV' }).click();
      const file = await download;
      const [, inName] = /^periods-2026-01-recorded-until-(.+)\.csv$/.exec(file.suggestedFilename()) ?? [];
      const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
      assert.equal(lines.length, 1 + 4);
      assert.ok(lines.slice(1).every((line) => line.includes(partner_id)));

      // The next day, someone enters the instant in the name of the file that was sent with the invoice.
      await enter(inName!);
      await page.getByText('Nothing in this month has changed since then.').waitFor();
      const late = { entity_id: ended, event_type: 'activation', event_at: '2026-01-30T00:00:00+01:00' };
      await stack.api('PUT', '/api/v2/sys/events/', { ...late, sys_attributes: { partner_id, article_codes: ['FIBRE-250'] } });
      await waitFor(async () => (await stepsOf(stack, partner_id)).some(({ article_codes }) => article_codes.includes('FIBRE-250')));
      await page.reload();
      await corrections.getByText('FIBRE-250').waitFor();
      assert.equal(await corrections.locator('tbody tr').count(), 1);

      await page.getByLabel('Month').fill('2025-11');
      await page.getByText('No subscription was active in this month.').waitFor();
      await page.getByText('Nothing in this month has changed since then.').waitFor();
      await page.goBack();
      await totals.getByText('VOICE').waitFor();

      await portal.chooseLanguage('Deutsch');
      await page.getByRole('heading', { level: 1, name: 'Abrechnung' }).waitFor();
      await page.getByRole('heading', { name: 'Korrekturen' }).waitFor();
      await traveller.checkAccessibility();
    },
  },
  { SETTLE_SECONDS: '1' },
);
