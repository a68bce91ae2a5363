import assert from 'node:assert/strict';
import type { Closing, Total } from '@fibre/client';
import { hasLibreOffice, type ShownCell, shownByLibreOffice, until } from '@fibre/testing/processes';
import { atOneWidth, journeys, type Traveller } from './journey.js';
import { BillingPages } from './pages/billing-pages.js';
import { createNodes } from './setup/places.js';
import type { Stack } from './setup/stack.js';

/** Each width has its own month, so that its closings are the only ones. */
const MONTHS: Record<number, readonly [month: string, title: string, next: string, offset: string]> = {
  1280: ['2026-01', 'January 2026', '2026-02', '+01:00'],
  390: ['2026-05', 'May 2026', '2026-06', '+02:00'],
};

interface Month {
  readonly isp: string;
  readonly partner_id: string;
  readonly ended: string;
}

/** The last row of the totals. */
const sumOf = (days: string): string[] => ['Sum', '', '', days, '', '', '', ''];

const put = (stack: Stack, body: object) => stack.api('PUT', '/api/v2/sys/events/', body);
const closingsOf = (stack: Stack, partner_id: string): Promise<Closing[]> =>
  stack.api('GET', `/api/v2/sys/closings/?partner_id=${partner_id}`);

/** Waits until billing includes what was recorded. */
async function settles(stack: Stack, month: string, next: string, partner_id: string, days: number): Promise<void> {
  await until('billing includes the events', async () => {
    const path = `/api/v2/sys/periods/totals/?from=${month}-01&to=${next}-01&partner_id=${partner_id}`;
    const totals = await stack.api<Total[]>('GET', path);
    return totals.reduce((sum, total) => sum + total.days, 0) === days;
  });
}

/** Records events for two entities of a new ISP, one with a second article from the 16th on; the other one ends on the 6th at noon. */
async function record({ stack, width }: Traveller): Promise<Month> {
  const [month, , next, offset] = MONTHS[width]!;
  const isp = `ISP ${crypto.randomUUID()}`;
  const { partner_id } = await stack.api<{ partner_id: string }>('POST', '/api/v2/sys/isps/', { name: isp });
  const [one, ended] = [crypto.randomUUID(), crypto.randomUUID()];
  for (const entity_id of [one, ended])
    await put(stack, {
      entity_id,
      event_type: 'activation',
      event_at: '2025-12-10T09:00:00+01:00',
      sys_attributes: { partner_id, article_codes: ['FIBRE-100'], partner_reference: 'LINE-7' },
    });
  await put(stack, {
    entity_id: one,
    event_type: 'update',
    event_at: `${month}-16T00:00:00${offset}`,
    sys_attributes: { article_codes: ['FIBRE-100', 'VOICE'] },
  });
  await put(stack, { entity_id: ended, event_type: 'deactivation', event_at: `${month}-06T12:00:00${offset}` });
  await settles(stack, month, next, partner_id, 52.5);
  return { isp, partner_id, ended };
}

journeys(
  'billing',
  {
    'a month is closed for an ISP; what is recorded later becomes corrections, and what was invoiced stays': async (traveller) => {
      const { portal, page, stack, width } = traveller;
      const [month, title, next, offset] = MONTHS[width]!;
      const { isp, partner_id, ended } = await record(traveller);
      await portal.open();
      await portal.chooseFromMenu('Billing');
      const pages = BillingPages.of(portal);
      await (await pages.month(title)).getByText('open', { exact: true }).waitFor();
      await traveller.checkAccessibility();
      await pages.openMonth(title);
      await pages.hasFocus(pages.heading);
      await page.getByLabel('ISP').selectOption({ label: isp });
      await page.getByText('Corrections appear here after the first closing.').waitFor();
      const invoiced = [
        [isp, 'FIBRE-100', '2', '36.50', '0', '0', '0', '1'],
        [isp, 'VOICE', '1', '16.00', '0', '1', '0', '0'],
        sumOf('52.50'),
      ];
      assert.deepEqual(await pages.rowsOf(pages.totals), invoiced);

      // The response to the first attempt is lost, so the person tries again.
      traveller.expects(/ERR_FAILED/);
      await page.route(
        '**/closings',
        async (route) => {
          await route.fetch();
          await route.abort();
        },
        { times: 1 },
      );
      await page.getByRole('button', { name: `Close ${title} for ${isp} …` }).click();
      await pages.dialog.getByText('they become corrections').waitFor();
      await traveller.checkAccessibility();
      await pages.dialog.getByLabel('Reference').fill('INV-7');
      await page.keyboard.press('Enter');
      await pages.dialog.getByText('No response').waitFor();
      await pages.dialog.getByRole('button', { name: 'Close', exact: true }).click();
      await pages.status.getByText(`${title} is closed`).waitFor();
      await page.getByText('This is the first closing').waitFor();
      assert.equal(
        await pages.asRecorded
          .locator('option:checked')
          .innerText()
          .then((text) => text.endsWith(`${isp} · INV-7`)),
        true,
      );
      const [closing, ...others] = await closingsOf(stack, partner_id);
      assert.deepEqual([closing?.reference, others], ['INV-7', []]);
      await traveller.checkAccessibility();

      // The second entity was not terminated after all, but from the 30th on with another article.
      const late = { entity_id: ended, event_type: 'activation', event_at: `${month}-30T00:00:00${offset}` };
      await put(stack, { ...late, sys_attributes: { partner_id, article_codes: ['FIBRE-250'] } });
      await settles(stack, month, next, partner_id, 54.5);
      await page.reload();
      await page.getByText('INV-7', { exact: true }).waitFor();
      assert.deepEqual(await pages.rowsOf(pages.totals), invoiced);
      await pages.asRecorded.selectOption({ label: 'Now' });
      await pages.corrections.waitFor();
      const [line, sum] = await pages.rowsOf(pages.corrections);
      await page.getByRole('link', { name: `…${ended.slice(-8)}` }).waitFor();
      assert.deepEqual([line?.[0], line?.[1], line?.[3], line?.[4]], [isp, 'FIBRE-250', '', '2.00']);
      assert.deepEqual(sum, ['Sum', '', '', '0.00', '2.00', '']);
      assert.deepEqual((await pages.rowsOf(pages.totals)).at(-1), sumOf('54.50'));
      await traveller.checkAccessibility();
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));

      const totals = await pages.download('totals');
      const [, instant] = new RegExp(`^totals-${month}-recorded-until-(\\d{8}T\\d{6}[.\\d]*\\+0\\d00)\\.csv$`).exec(totals.name) ?? [];
      assert.ok(instant !== undefined, totals.name);
      assert.deepEqual(totals.lines[1], `${partner_id},${isp},FIBRE-100,2,36.5,0,0,0,1`);
      const shown = await page.getByText('Recorded until').locator('code').innerText();
      assert.equal(shown.replaceAll(/[-:]/g, ''), instant);
      const steps = await pages.download('line items');
      assert.equal(steps.name, `periods-${month}-recorded-until-${instant}.csv`);
      assert.equal(steps.lines.length, 1 + 5);
      const corrections = await pages.download('corrections');
      assert.ok(corrections.name.startsWith(`corrections-${month}-recorded-from-`) && corrections.name.endsWith(`-until-${instant}.csv`));
      assert.deepEqual(
        corrections.lines[0],
        'entity_id,partner_id,isp,partner_reference,article_code,from,to,begins_by,ends_by,credit_days,charge_days',
      );
      assert.ok(corrections.lines[1]?.startsWith(`${ended},${partner_id},${isp},,FIBRE-250,${month}-29T2`));
      assert.ok(corrections.lines[1]?.endsWith(',activation,,,2'));
      // An activation that was recorded late is one more start to charge for.
      await pages.corrections.getByText('Activation').waitFor();

      await page.getByRole('link', { name: 'Billing' }).last().click();
      const row = await pages.month(title);
      await row.getByText('closed for some ISPs').waitFor();
      await row.getByText('INV-7').waitFor();
      await row.getByRole('cell').last().getByText('1', { exact: true }).waitFor();
      await page.goBack();
      await pages.corrections.waitFor();
    },

    'a closing closes what was shown: what others record between reading and closing is said, and becomes a correction': atOneWidth(
      async (traveller) => {
        const { portal, page, stack, width } = traveller;
        const [month, title, next, offset] = MONTHS[width]!;
        const { isp, partner_id, ended } = await record(traveller);
        await portal.open(`billing?period=${month}&partner_id=${partner_id}`);
        const pages = BillingPages.of(portal);
        const shown = await pages.rowsOf(pages.totals);
        assert.deepEqual(shown.at(-1), sumOf('52.50'));
        const files = [await pages.download('totals'), await pages.download('line items')];
        const again = async (day: string, days: number): Promise<void> => {
          const at = (time: string) => `${month}-${day}T${time}${offset}`;
          const sys_attributes = { partner_id, article_codes: ['FIBRE-250'] };
          await put(stack, { entity_id: ended, event_type: 'activation', event_at: at('00:00:00'), sys_attributes });
          await put(stack, { entity_id: ended, event_type: 'deactivation', event_at: at('12:00:00') });
          await settles(stack, month, next, partner_id, days);
        };
        // Another client records an event of the month while a person reads the page.
        await again('20', 53);
        const close = page.getByRole('button', { name: `Close ${title} for ${isp} …` });
        await close.click();
        await pages.dialog.getByText('Since this page was read, others have recorded events. Entities with changes: 1').waitFor();
        const rows = await pages.rowsOf(pages.dialog.getByRole('table'));
        assert.deepEqual(rows, [
          [isp, 'FIBRE-100', '36.50', '36.50'],
          [isp, 'VOICE', '16.00', '16.00'],
          [isp, 'FIBRE-250', '0.00', '0.50'],
          ['Sum', '', '52.50', '53.00'],
        ]);
        await traveller.checkAccessibility();
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
        // A clerk who reads the page again sees what is new, and closes that.
        await pages.dialog.getByRole('button', { name: 'Read again' }).click();
        await pages.dialog.waitFor({ state: 'detached' });
        await pages.totals.getByText('53.00').waitFor();
        await close.click();
        await pages.dialog.waitFor();
        assert.deepEqual((await pages.rowsOf(pages.dialog.getByRole('table'))).at(-1), ['Sum', '', '53.00']);
        assert.equal(await pages.dialog.getByText('Since this page was read').count(), 0);
        await pages.dialog.getByRole('button', { name: 'Cancel' }).click();
        // A clerk who does not read it again closes what the page shows, even if something is recorded while the dialog is open.
        const reviewed = await pages.download('totals');
        await close.click();
        await pages.dialog.getByRole('table').waitFor();
        await again('22', 53.5);
        await pages.dialog.getByLabel('Reference').fill('SHOWN');
        await pages.dialog.getByRole('button', { name: 'Close', exact: true }).click();
        await pages.status.getByText(`${title} is closed`).waitFor();
        await page.getByText('SHOWN', { exact: true }).waitFor();
        assert.deepEqual((await pages.rowsOf(pages.totals)).at(-1), sumOf('53.00'));
        assert.deepEqual(await pages.download('totals'), reviewed);
        const [closing] = await closingsOf(stack, partner_id);
        const query = `from=${month}-01&to=${next}-01&partner_id=${partner_id}&recorded_until=${encodeURIComponent(closing!.recorded_until)}`;
        const closed = await stack.api<Total[]>('GET', `/api/v2/sys/periods/totals/?${query}`);
        assert.equal(
          closed.reduce((sum, { days }) => sum + days, 0),
          53,
        );
        // The files of the first reading belong to an earlier instant, and say so.
        assert.ok(files.every(({ name }) => name.includes('-recorded-until-') && name !== reviewed.name));
        await pages.asRecorded.selectOption({ label: 'Now' });
        await pages.corrections.waitFor();
        assert.deepEqual((await pages.rowsOf(pages.corrections)).at(-1)?.slice(3, 5), ['0.00', '0.50']);
        // It is closed, so closing it again is no longer what comes next.
        assert.doesNotMatch((await close.getAttribute('class')) ?? '', /primary/);
      },
    ),

    'a month is closed for all ISPs with the keyboard, again after corrections, and the second closing shows what it corrects': async (
      traveller,
    ) => {
      const { portal, page, stack, width } = traveller;
      const [month, title, next, offset] = MONTHS[width]!;
      const { isp, partner_id, ended } = await record(traveller);
      await portal.open(`billing?period=${month}`);
      const pages = BillingPages.of(portal);
      const close = page.getByRole('button', { name: `Close ${title} for all ISPs …` });
      const closeIt = async (reference: string): Promise<void> => {
        await close.press('Enter');
        await pages.hasFocus(pages.dialog.getByLabel('Reference'));
        await page.keyboard.type(reference);
        await page.keyboard.press('Enter');
        await pages.dialog.waitFor({ state: 'detached' });
        await page.getByText(reference, { exact: true }).waitFor();
      };
      await close.press('Enter');
      await pages.dialog.waitFor();
      await page.keyboard.press('Escape');
      await pages.hasFocus(close);
      await closeIt(`RUN-1-${width}`);
      await page.getByText('This is the first closing').waitFor();
      // It was terminated a day later than recorded.
      await put(stack, {
        entity_id: ended,
        event_type: 'activation',
        event_at: `${month}-06T18:00:00${offset}`,
        sys_attributes: { partner_id, article_codes: ['FIBRE-100'] },
      });
      await put(stack, { entity_id: ended, event_type: 'deactivation', event_at: `${month}-07T12:00:00${offset}` });
      await settles(stack, month, next, partner_id, 53.25);
      await page.goto(`${pages.url}billing?period=${month}`);
      await pages.corrections.waitFor();
      await closeIt(`RUN-2-${width}`);
      assert.deepEqual((await pages.rowsOf(pages.corrections)).at(-1)?.slice(3, 5), ['0.00', '0.75']);
      await page.getByText(`RUN-2-${width}`, { exact: true }).waitFor();
      await pages.asRecorded.selectOption({ index: 0 });
      await page.getByText('Nothing has changed since then.').waitFor();
      // For a single ISP, the closings of all ISPs count too.
      await page.getByLabel('ISP').selectOption({ label: isp });
      await page.getByText('Nothing has changed since then.').waitFor();
      assert.deepEqual((await pages.rowsOf(pages.totals)).at(-1), sumOf('53.25'));

      await portal.chooseLanguage('Deutsch');
      await page.getByRole('heading', { level: 2, name: 'Korrekturen' }).waitFor();
      await traveller.checkAccessibility();
      await page.getByRole('link', { name: 'Abrechnung' }).last().click();
      const row = pages.months.getByRole('row').filter({ hasText: `RUN-2-${width}` });
      await row.getByText('abgeschlossen', { exact: true }).waitFor();
      await row.getByRole('cell').last().getByText('0', { exact: true }).waitFor();
      await traveller.checkAccessibility();
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    },

    'every file opens in a spreadsheet with its numbers, dates and texts (in LibreOffice, if libreoffice-calc is installed)': atOneWidth(
      async ({ portal, page, stack }) => {
        const [month, next] = ['2026-03', '2026-04'];
        const partner_id = '0192d3a5-7c10-7e8b-a2c6-3f9d5b7a1e99';
        await stack.api('PUT', `/api/v2/sys/isps/${partner_id}/`, { name: 'Ivan Net', isp_tenant: 'isp.demo' });
        const entity_id = crypto.randomUUID();
        const sys_attributes = { partner_id, article_codes: ['=1+1', '00123'], partner_reference: '1E5' };
        await put(stack, { entity_id, event_type: 'activation', event_at: `${month}-11T12:30:00+01:00`, sys_attributes });
        await settles(stack, month, next, partner_id, 2 * 20.48);
        await stack.api('POST', '/api/v2/sys/closings/', { from: `${month}-01`, to: `${next}-01`, partner_id });
        // The clocks were set an hour and a half before.
        await put(stack, { entity_id, event_type: 'deactivation', event_at: `${month}-29T03:30:00+02:00` });
        await settles(stack, month, next, partner_id, 2 * 17.59);

        await portal.open(`billing?period=${month}&partner_id=${partner_id}`);
        const pages = BillingPages.of(portal);
        await pages.corrections.waitFor();
        const files = [await pages.sheet('totals'), await pages.sheet('line items'), await pages.sheet('corrections')];
        await portal.open(`billing?period=${month}&tenant=ano.demo`, 'ivan@isp.demo');
        await portal.chooseLanguage('Deutsch');
        await page.getByRole('table', { name: 'Korrekturen' }).waitFor();
        files.push(await pages.sheet('Summen'), await pages.sheet('Einzelposten'), await pages.sheet('Korrekturen'));
        assert.ok(files.every((file) => file.includes(`-${month}-recorded-`) && file.endsWith('.xlsx')));
        if (!hasLibreOffice) return;

        const text = (one: string): ShownCell => ({ text: one });
        for (const [locale, point] of [
          ['en-US', '.'],
          ['de-AT', ','],
        ] as const) {
          const [totals, steps, corrections, chargedTotals, charges, chargedCorrections] = await shownByLibreOffice(files, locale);
          const days = (number: string): ShownCell => ({ value: number.replace('.', point) });
          const began = { value: `${month}-11 12:30:00` };
          const ended = { value: `${month}-29 03:30:00` };
          const isp = ['Ivan Net', '1E5'].map(text);
          // Started and ended.
          const counts = ['1', '0', '0', '1'].map((value): ShownCell => ({ value }));
          assert.deepEqual(totals, [
            ['ISP (partner_id)', 'ISP', 'Article', 'Entities', 'Days', 'Started', 'Added', 'Removed', 'Ended'].map(text),
            ...['00123', '=1+1'].map((code) => [text(partner_id), isp[0], text(code), { value: '1' }, days('17.59'), ...counts]),
          ]);
          assert.deepEqual(
            steps!.slice(1).map((row) => row.slice(0, 7)),
            ['=1+1', '00123'].map((code) => [text(entity_id), text(partner_id), ...isp, text(code), began, ended]),
          );
          const corrected = (begin: ShownCell[]) =>
            ['20.48', '17.59'].flatMap((number, side) =>
              ['=1+1', '00123'].map((code) => [
                ...begin,
                text(code),
                began,
                side === 0 ? { value: `${next}-01 00:00:00` } : ended,
                text('activation'),
                ...(side === 0 ? [undefined, days(number), undefined] : [text('deactivation'), undefined, days(number)]),
              ]),
            );
          assert.deepEqual(corrections!.slice(1), corrected([text(entity_id), text(partner_id), ...isp]));
          const tenant = text('ano.demo');
          assert.deepEqual(chargedTotals, [
            ['Netzbetreiber', 'Artikel', 'Anschlüsse', 'Tage', 'Begonnen', 'Dazugekommen', 'Weggefallen', 'Beendet'].map(text),
            ...['00123', '=1+1'].map((code) => [tenant, text(code), { value: '1' }, days('17.59'), ...counts]),
          ]);
          assert.deepEqual(charges![0]!.slice(0, 4), ['Anschluss', 'Netzbetreiber', 'Referenz des ISP', 'Artikel'].map(text));
          assert.deepEqual(
            charges!.slice(1).map((row) => row.slice(0, 6)),
            ['=1+1', '00123'].map((code) => [text(entity_id), tenant, isp[1], text(code), began, ended]),
          );
          assert.deepEqual(chargedCorrections!.slice(1), corrected([text(entity_id), tenant, isp[1]!]));
        }
      },
    ),

    'an ISP sees what each operator charges it, and what an operator has corrected since it closed the month': async (traveller) => {
      const { portal, page, stack, width } = traveller;
      const [month, title, next, offset] = MONTHS[width]!;
      const other = { authorization: `Bearer ${await stack.token('ano-other')}` };
      // The ISP has one tenant, so both widths register the same ISP.
      const isp = { name: 'Ivan Net', isp_tenant: 'isp.demo' };
      const partner_id = '0192d3a5-7c10-7e8b-a2c6-3f9d5b7a1e99';
      const [entity_id, elsewhere] = [crypto.randomUUID(), crypto.randomUUID()];
      for (const [id, headers] of [
        [entity_id, {}],
        [elsewhere, other],
      ] as const) {
        await stack.api('PUT', `/api/v2/sys/isps/${partner_id}/`, isp, headers);
        const sys_attributes = { partner_id, article_codes: [`ONLY-${width}`], partner_reference: 'LINE-7' };
        const begin = { entity_id: id, event_type: 'activation', event_at: `${month}-11T00:00:00${offset}`, sys_attributes };
        await stack.api('PUT', '/api/v2/sys/events/', begin, headers);
        await stack.api(
          'PUT',
          '/api/v2/sys/events/',
          { entity_id: id, event_type: 'deactivation', event_at: `${month}-21T00:00:00${offset}` },
          headers,
        );
      }
      await settles(stack, month, next, partner_id, 10);
      const relation_id = await createNodes(stack, `Charged ${width}`, 'nodes', [{ center: '-41, -121', token: 'operation' }]);
      const contact = { operator: 'Wiener Glasfaser', contact_name: 'Wholesale desk', contact_email: 'desk@ano.example' };
      await stack.api('PATCH', `/v2/cov/relations/${relation_id}/`, contact, { 'content-type': 'application/merge-patch+json' });
      const closing = { from: `${month}-01`, to: `${next}-01`, partner_id, reference: `INV-${width}` };
      await stack.api('POST', '/api/v2/sys/closings/', closing);
      await put(stack, {
        entity_id,
        event_type: 'activation',
        event_at: `${month}-25T00:00:00${offset}`,
        sys_attributes: { partner_id, article_codes: [`ONLY-${width}`], partner_reference: 'LINE-7' },
      });
      await put(stack, { entity_id, event_type: 'deactivation', event_at: `${month}-26T00:00:00${offset}` });
      await settles(stack, month, next, partner_id, 11);

      await portal.open('', 'ivan@isp.demo');
      await portal.isAt(/^coverage/);
      await portal.chooseFromMenu('Billing');
      const pages = BillingPages.of(portal);
      const row = await pages.month(title);
      await row.getByText('closed', { exact: true }).waitFor();
      await row.getByText(`ano.demo · INV-${width}`).waitFor();
      await row.getByRole('cell').last().getByText('1', { exact: true }).waitFor();
      await traveller.checkAccessibility();
      await pages.openMonth(title);
      const article = `ONLY-${width}`;
      assert.deepEqual((await pages.rowsOf(pages.totals)).sort(), [
        sumOf('21.00'),
        ['ano.demo', article, '1', '11.00', '2', '0', '0', '2'],
        ['ano.other', article, '1', '10.00', '1', '0', '0', '1'],
      ]);
      assert.equal(await page.getByRole('button', { name: /^Close/ }).count(), 0);
      await pages.corrections.waitFor();
      const steps = await pages.download('line items');
      assert.equal(
        steps.lines[0],
        'entity_id,tenant,partner_reference,article_code,from,to,option82,begins,begins_by,ends,ends_by,runs_on',
      );
      assert.equal(steps.lines.length, 1 + 3);
      await page.getByLabel('Operator').selectOption('ano.demo');
      await pages.corrections.getByText('LINE-7').waitFor();
      assert.deepEqual((await pages.rowsOf(pages.corrections)).at(-1)?.slice(3, 5), ['0.00', '1.00']);
      const corrections = await pages.download('corrections');
      assert.ok(corrections.lines[1]?.startsWith(`${entity_id},ano.demo,LINE-7,${article},`));
      await pages.asRecorded.selectOption({ index: 1 });
      await page.getByText(`INV-${width}`, { exact: true }).waitFor();
      assert.deepEqual(await pages.rowsOf(pages.totals), [['ano.demo', article, '1', '10.00', '1', '0', '0', '1'], sumOf('10.00')]);

      // Two clicks explain a line of the invoice, and two lead back.
      const [back, heading] = [page.getByRole('main'), (name: string) => page.getByRole('heading', { level: 1, name }).waitFor()];
      await pages.totals.getByRole('link', { name: article, exact: true }).click();
      await heading(`${article} · ano.demo`);
      await page.getByText(`INV-${width}`, { exact: true }).waitFor();
      await page.getByText('Wiener Glasfaser').first().waitFor();
      await page.getByRole('link', { name: 'desk@ano.example' }).first().waitFor();
      const [counted, ...more] = (await pages.rowsOf(pages.steps)).map((cells) => cells.slice(3));
      assert.deepEqual([counted, more], [['10.00', '1', '', '', '1'], [['10.00', '1', '0', '0', '1']]]);
      await traveller.checkAccessibility();
      await pages.steps.getByRole('link', { name: `…${entity_id.slice(-8)}` }).click();
      await heading(entity_id);
      for (const text of ['ano.demo', `INV-${width}`, 'LINE-7', 'Wiener Glasfaser', 'desk@ano.example'])
        await page.locator('dl').getByText(text).first().waitFor();
      assert.equal((await pages.rowsOf(page.getByRole('table', { name: 'What you are charged for it' }))).length, 1);
      await traveller.checkAccessibility();
      await back.getByRole('link', { name: article, exact: true }).click();
      await heading(`${article} · ano.demo`);
      await back.getByRole('link', { name: title, exact: true }).click();
      await heading(title);
      await pages.totals.waitFor();
      await portal.chooseLanguage('Deutsch');
      await page.getByRole('heading', { level: 2, name: 'Korrekturen' }).waitFor();
      await traveller.checkAccessibility();
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    },

    'a month that has not ended cannot be closed; a window that is no month has its own row': atOneWidth(async (traveller) => {
      const { portal, page, stack, width } = traveller;
      const [month, , , offset] = MONTHS[width]!;
      const window = { from: `${month}-10T00:00:00${offset}`, to: `${month}-17T00:00:00${offset}`, reference: `WEEK-${width}` };
      await stack.api('POST', '/api/v2/sys/closings/', window);
      await portal.open('billing');
      const pages = BillingPages.of(portal);
      await (await pages.rowOf(window.reference)).getByRole('link').first().click();
      await page.getByText('Nothing has changed since then.').waitFor();
      await page.getByRole('link', { name: 'Billing' }).last().click();
      await pages.months.getByText('running').waitFor();
      await pages.months.getByRole('link').first().click();
      await page.getByText('It can be closed once it has ended.').waitFor();
    }),

    'corrections are counted only for the months that are shown, and once': atOneWidth(async ({ portal, page, stack }) => {
      const date = (daysAgo: number): string => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
      const close = (daysAgo: number, reference: string): Promise<Closing> =>
        stack.api('POST', '/api/v2/sys/closings/', { from: date(daysAgo), to: date(daysAgo - 7), reference });
      const recent = await close(14, 'RECENT');
      const old = await close(800, 'OLD');
      const counted: (string | null)[] = [];
      page.on('request', (request) => {
        const { pathname, searchParams } = new URL(request.url());
        if (pathname.endsWith('/periods/corrections') && request.method() === 'GET') counted.push(searchParams.get('closing'));
      });
      const timesOf = ({ closing_id }: Closing): number => counted.filter((id) => id === closing_id).length;
      const isCounted = async (): Promise<boolean> => (await pages.months.getByText('…', { exact: true }).count()) === 0;
      await portal.open('billing');
      const pages = BillingPages.of(portal);
      await (await pages.rowOf(recent.reference!)).getByRole('cell').last().getByText('0', { exact: true }).waitFor();
      await until('the first months are counted', isCounted);
      assert.deepEqual([timesOf(recent), timesOf(old)], [1, 0]);
      await (await pages.rowOf(old.reference!)).getByRole('cell').last().getByText('0', { exact: true }).waitFor();
      await until('the other months are counted', isCounted);
      assert.deepEqual([timesOf(recent), timesOf(old)], [1, 1]);
    }),

    'a closing that was made too early says so, in either language': atOneWidth(async (traveller) => {
      const { portal, page, stack } = traveller;
      const [month, next] = [0, 1].map((more) => {
        const now = new Date();
        return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + more, 1)).toISOString().slice(0, 7);
      });
      const { partner_id } = await stack.api<{ partner_id: string }>('POST', '/api/v2/sys/isps/', { name: `ISP ${crypto.randomUUID()}` });
      const early = { from: `${month}-01`, to: `${next}-01`, partner_id };
      const { closing_id } = await stack.api<Closing>('POST', '/api/v2/sys/closings/', early);
      // The address only names the closing, which has a month and an ISP.
      await portal.open(`billing?closing=${closing_id}`);
      await page.getByText('The window is not over yet').waitFor();
      await portal.isAt(/^billing\?.*period=/);
      assert.equal(new URL(page.url()).searchParams.get('partner_id'), partner_id);
      await traveller.checkAccessibility();
      await portal.chooseLanguage('Deutsch');
      await page.getByText('war noch nicht zu Ende').waitFor();
    }),
    'a clerk who may not record events closes a month': async (traveller) => {
      const { portal, page, stack, width } = traveller;
      const [, title] = MONTHS[width]!;
      const titleInGerman = title.replace('January', 'Januar').replace('May', 'Mai');
      const { isp, partner_id, ended } = await record(traveller);
      await portal.open('', 'carla@ano.demo');
      await portal.chooseFromMenu('Entities');
      await page.getByText('events:write').waitFor();
      await portal.chooseFromMenu('Billing');
      const pages = BillingPages.of(portal);
      await pages.openMonth(title);
      await page.getByLabel('ISP').selectOption({ label: isp });
      await page.getByRole('button', { name: `Close ${title} for ${isp} …` }).click();
      await pages.dialog.getByRole('button', { name: 'Close', exact: true }).click();
      await pages.status.getByText(`${title} is closed`).waitFor();
      assert.equal((await closingsOf(stack, partner_id)).length, 1);
      await traveller.checkAccessibility();

      // An exit fee is on the invoice: two clicks lead to the entity's timeline, and two back.
      const heading = (name: string): Promise<void> => page.getByRole('heading', { level: 1, name }).waitFor();
      await pages.totals.getByRole('link', { name: 'FIBRE-100, Ended: 1' }).click();
      await heading(`FIBRE-100 · ${isp}`);
      await pages.hasFocus(pages.heading);
      const [step, sum, ...more] = await pages.rowsOf(pages.steps);
      assert.deepEqual([step?.slice(1, 2), step?.slice(3), more], [['ran before'], ['5.50', '', '', '', '1'], []]);
      assert.deepEqual(sum?.slice(3), ['5.50', '0', '0', '0', '1']);
      await traveller.checkAccessibility();
      await pages.steps.getByRole('link').first().click();
      await page.getByText(ended, { exact: true }).first().waitFor();
      await page.getByRole('heading', { level: 2, name: 'Timeline' }).waitFor();
      await page.getByRole('link', { name: 'Back to billing' }).click();
      await heading(`FIBRE-100 · ${isp}`);
      // All that the line consists of, in German.
      await page.getByLabel('Counted as').selectOption({ label: 'All' });
      assert.equal((await pages.rowsOf(pages.steps)).length, 3 + 1);
      await portal.chooseLanguage('Deutsch');
      await page.getByText('Gezählt als').first().waitFor();
      await page.getByRole('columnheader', { name: 'Weggefallen' }).waitFor({ state: 'attached' });
      assert.deepEqual((await pages.rowsOf(pages.steps)).at(-1)?.slice(3), ['36,50', '0', '0', '0', '1']);
      await traveller.checkAccessibility();
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      await page.getByRole('main').getByRole('link', { name: titleInGerman, exact: true }).click();
      await heading(titleInGerman);
      await page.getByRole('link', { name: 'FIBRE-100, Beendet: 1' }).waitFor();
      await traveller.checkAccessibility();
    },
  },
  { SETTLE_SECONDS: '1' },
);
