import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Download, Page } from '../../../../extra/browser.js';
import type { Closing } from '@fibre/client';
import { until } from '@fibre/testing/processes';
import { atOneWidth, journeys } from './journey.js';
import { createNodes } from './setup/places.js';
import type { Stack } from './setup/stack.js';

const put = (stack: Stack, body: object): Promise<{ event_id: string }> => stack.api('PUT', '/api/v2/sys/events/', body);
const create = <T>(stack: Stack, path: string, body: object): Promise<T> => stack.api<T>('POST', path, body);

/** The lines of a file that a click saves. */
async function linesOf(page: Page, name: string): Promise<string[]> {
  const saved: Promise<Download> = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const file = await saved;
  assert.equal(file.suggestedFilename(), `${name}.csv`);
  return (await readFile(await file.path(), 'utf8')).replace('\uFEFF', '').trim().split('\r\n');
}

/** Waits until this text is in the first row of the list. */
const isFirst = (page: Page, text: string): Promise<void> => page.locator('tbody tr').first().getByText(text).first().waitFor();

journeys(
  'lists',
  {
    'relations and ISPs begin with the newest, open by a click on their row or by Enter, and are exported whole': async (traveller) => {
      const { portal, page, stack, width } = traveller;
      for (const [path, api, id] of [
        ['relations', '/v2/cov/relations/', 'relation_id'],
        ['isps', '/api/v2/sys/isps/', 'partner_id'],
      ] as const) {
        const more = path === 'relations' ? { pip: '@SUM(1)', contact_phone: '+43 1 234567' } : { email: 'noc@isp.example' };
        for (let count = 0; count < 51; count++) await create(stack, api, { name: `${path} ${width} ${count}`, ...more });
        const last = await create<Record<string, string>>(stack, api, { name: `=1+1 "${width}", last`, comment: 'two\nlines', ...more });
        await portal.open(path);
        await isFirst(page, last['name']!);
        await page.getByText(/^50 of \d+$/).waitFor();
        const all = await stack.api<object[]>('GET', `${api}?_page_size=2000`);
        const lines = await linesOf(page, path);
        assert.equal(lines.join('\n').split(`${id},`).length, 2);
        // One record has a line break.
        assert.equal(lines.length, 1 + all.length);
        assert.ok(lines[1]!.startsWith(`${last[id]},"'=1+1 ""${width}"", last",`), lines[1]);
        if (path === 'relations') assert.match(lines[1]!, /,'@SUM\(1\),.*,\+43 1 234567,/);

        await page.locator('tbody tr').first().locator('time').click();
        await portal.isAt(`${path}/${last[id]}`);
        await page.goBack();
        await isFirst(page, last['name']!);
        await page.locator('tbody tr').nth(1).locator('.opens').focus();
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { level: 1, name: `${path} ${width} 50` }).waitFor();
      }
    },

    'entities and events show what people call them first; filters are chips, and apply to the file': async (traveller) => {
      const { portal, page, stack, width } = traveller;
      const isp = `Donau Internet ${width}`;
      const { partner_id } = await create<{ partner_id: string }>(stack, '/api/v2/sys/isps/', { name: isp });
      const entities: string[] = [];
      for (const port of [1, 2, 3]) {
        const entity_id = crypto.randomUUID();
        entities.push(entity_id);
        const sys_attributes = {
          partner_id,
          article_codes: ['FIBRE-100', 'VOICE'],
          option82: `eth 0/${port}`,
          partner_reference: `LINE-${port}`,
        };
        await put(stack, { entity_id, event_type: 'activation', event_at: `2026-01-0${port}T09:00:00+01:00`, sys_attributes });
      }
      await portal.open('entities');
      await page.getByLabel('ISP', { exact: true }).selectOption({ label: isp });
      await page.getByLabel('State').selectOption('active');
      await page.getByRole('button', { name: `ISP: ${isp}` }).waitFor();
      const rows = page.locator('tbody tr');
      await until('the three entities', async () => (await rows.count()) === 3);
      const row = rows.filter({ hasText: 'LINE-2' });
      const cells = await row.locator('td').allInnerTexts();
      assert.deepEqual(
        cells.slice(0, 3).map((cell) => cell.trim()),
        ['eth 0/2', 'LINE-2', isp],
      );
      await row.getByRole('button', { name: 'Copy entity_id, eth 0/2' }).click();
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), entities[1]);
      await traveller.checkAccessibility();
      const lines = await linesOf(page, 'entities');
      assert.equal(lines.length, 4);
      const line = lines.find((one) => one.startsWith(entities[1]!))!;
      assert.ok(line.includes(`,${partner_id},${isp},"[""FIBRE-100"",""VOICE""]",eth 0/2,LINE-2`), line);

      // A click on the words of the row, not on its link.
      await row.getByText('LINE-2').click();
      await portal.isAt(`entities/${entities[1]}`);
      await page.goBack();
      await page.getByRole('button', { name: 'State: active' }).click();
      await page.waitForURL((url) => !url.searchParams.has('state') && url.searchParams.get('partner_id') === partner_id);
      await page.reload();
      await page.getByRole('button', { name: `ISP: ${isp}` }).waitFor();
      await page.getByRole('button', { name: 'Remove all filters' }).click();
      await portal.isAt('entities');

      const { event_id } = await put(stack, {
        entity_id: entities[0],
        event_type: 'notification',
        event_at: '2026-01-01T00:00:00+01:00',
        comment: `latest ${width}`,
      });
      await page.goto(`${portal.url}events`);
      await isFirst(page, `latest ${width}`);
      await page.goto(`${portal.url}entities/${entities[0]}`);
      await page.getByRole('table', { name: 'Events' }).locator('tbody tr').first().getByText(`latest ${width}`).waitFor();
      assert.ok(event_id);

      // An ended line, and the events after an activation, say whose line it is, although their records do not.
      await put(stack, { entity_id: entities[2], event_type: 'deactivation', event_at: '2026-01-20T09:00:00+01:00' });
      await page.goto(`${portal.url}events`);
      const ended = page.locator('tbody tr').filter({ hasText: 'Deactivation' }).first();
      await ended.getByRole('link', { name: 'eth 0/3' }).waitFor();
      await ended.getByText(isp).waitFor();
      await page.goto(`${portal.url}entities?state=inactive`);
      const old = page.locator('tbody tr').filter({ hasText: 'LINE-3' }).filter({ hasText: isp });
      await old.getByRole('link', { name: 'eth 0/3' }).click();
      await page.getByRole('heading', { level: 1, name: 'eth 0/3' }).waitFor();
      await page.getByText(isp).first().waitFor();
      await traveller.checkAccessibility();
    },

    'numbers are exact up to 10,000, and then say that there are more; the list of nodes opens a node by a click on its row': atOneWidth(
      async (traveller) => {
        const { portal, page, stack, width } = traveller;
        const nodes = Array.from({ length: 10_050 }, (_, index) => ({
          token: 'planned',
          center: `47.${width}, ${(10 + index / 10_000).toFixed(4)}`,
          customer_reference: `node ${index}`,
        }));
        const relation_id = await createNodes(stack, `Large ${width}`, 'prenodes', nodes);
        await portal.open();
        await page.getByRole('link', { name: 'Merge more than 10,000' }).first().waitFor();
        await page.goto(`${portal.url}relations/${relation_id}`);
        await page.getByRole('link', { name: '10,050', exact: true }).waitFor();
        await page.goto(`${portal.url}coverage?target=prenodes&panel=list&relation_id=${relation_id}`);
        await page.getByText('50 of more than 10,000', { exact: true }).waitFor();
        const row = page.locator('tbody tr').first();
        await row.getByText(/^node \d+$/).waitFor();
        await row.getByText('ftth').click();
        await page.waitForURL(/[?&]node=/);
        await stack.api('DELETE', `/v2/cov/nodes?target=prenodes&relation_id=${relation_id}`);
      },
    ),

    'no table is cut, in either language, at 390, 1024, 1280 or 1440 pixels': atOneWidth(async (traveller) => {
      const { portal, page, stack } = traveller;
      const isp = 'Donau Internet und Telefonie Gesellschaft mit beschränkter Haftung';
      const { partner_id } = await create<{ partner_id: string }>(stack, '/api/v2/sys/isps/', {
        name: isp,
        email: 'network.operations.center@donau-internet.example',
      });
      const { relation_id } = await create<{ relation_id: string }>(stack, '/v2/cov/relations/', {
        name: 'Innere Stadt und Leopoldstadt, Ausbaustufe 3',
        pip: 'Stadtnetz Infrastruktur',
      });
      const entity_id = crypto.randomUUID();
      const sys_attributes = {
        partner_id,
        article_codes: ['FIBRE-1000', 'VOICE', 'TV-PREMIUM'],
        option82: 'access-node-17 eth 0/1/7:100',
        partner_reference: 'DONAU-2026-0000017',
      };
      await put(stack, {
        entity_id,
        event_type: 'activation',
        event_at: '2026-01-01T00:00:00+01:00',
        sys_attributes,
        usr_reference: 'Auftrag 4711',
        comment: 'Wohnung 7, zweiter Stock',
      });
      const update = {
        entity_id,
        event_type: 'update',
        event_at: '2026-01-11T00:00:00+01:00',
        sys_attributes: { article_codes: ['FIBRE-100'], partner_reference: 'DONAU-2026-0000017' },
      };
      await until('the activation is settled', async () => {
        const totals = await stack.api<object[]>(
          'GET',
          `/api/v2/sys/periods/totals/?from=2026-01-01&to=2026-02-01&partner_id=${partner_id}`,
        );
        return totals.length > 0;
      });
      await create<Closing>(stack, '/api/v2/sys/closings/', { from: '2026-01-01', to: '2026-02-01', partner_id, reference: 'INV-2026-01' });
      await put(stack, { ...update, usr_attributes: { ticket: 'INC-2026-000123' } });
      await put(stack, { ...update, usr_attributes: { ticket: 'INC-2026-000124' } });
      await stack.api('POST', '/v2/cov/nodes/', {
        relation_id,
        token: 'construction',
        center: '48.208555, 16.372966',
        technology: 'ftth',
        status: 'suspended',
        customer_reference: 'Haus 17, Stiege 4, Donaustädter Straße',
      });
      await portal.open();
      const lists = [
        `events?period=2026-01-01`,
        `entities?partner_id=${partner_id}`,
        `entities/${entity_id}`,
        'isps',
        'relations',
        'billing',
        `billing?period=2026-01&partner_id=${partner_id}`,
        `coverage?panel=list&relation_id=${relation_id}`,
      ];
      const cut: string[] = [];
      for (const language of ['English', 'Deutsch'])
        for (const path of lists) {
          await page.goto(portal.url + path);
          await portal.arrive();
          if (path === lists[0]) await portal.chooseLanguage(language);
          await page.locator('table').first().waitFor();
          if (path.startsWith('billing?'))
            await page
              .getByRole('table', { name: /^(Corrections|Korrekturen)$/ })
              .locator('tbody tr')
              .first()
              .waitFor();
          for (const window of [1440, 1280, 1024, 390]) {
            await page.setViewportSize({ width: window, height: 800 });
            // In a narrow window, only screen readers see the head of a table.
            const shown = window < 800 ? 'td, td *' : 'th, td, td *';
            const found = await page.locator('table').evaluateAll(
              (tables, shown) =>
                tables.flatMap((table) => {
                  const room = (table.closest('aside') ?? table.parentElement!).getBoundingClientRect();
                  const cells = [...table.querySelectorAll(shown)];
                  const right = Math.max(
                    ...cells.filter((cell) => !cell.closest('.visually-hidden')).map((cell) => cell.getBoundingClientRect().right),
                  );
                  return right > room.right + 1 || right > innerWidth
                    ? [`${(table as HTMLTableElement).caption?.textContent}: ${Math.round(right)} of ${Math.round(room.right)}`]
                    : [];
                }),
              shown,
            );
            cut.push(...found.map((text) => `${path} ${language} ${window}: ${text}`));
            if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth))
              cut.push(`${path} ${language} ${window}: page`);
          }
        }
      assert.deepEqual(cut, []);
    }),
  },
  { SETTLE_SECONDS: '1' },
);
