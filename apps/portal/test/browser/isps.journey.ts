import assert from 'node:assert/strict';
import { atOneWidth, journeys } from './journey.js';
import type { PortalPage } from './pages/portal-page.js';
import type { Stack } from './setup/stack.js';

interface Isp {
  readonly partner_id: string;
  readonly name: string;
  readonly email?: string;
  readonly comment?: string;
  readonly isp_tenant?: string;
}

const PATH = '/api/v2/sys/isps/';
const create = (stack: Stack, name: string): Promise<Isp> => stack.api('POST', PATH, { name });
const named = async (stack: Stack, name: string): Promise<Isp[]> => stack.api('GET', `${PATH}?name=${encodeURIComponent(name)}`);

const fieldsOf = ({ page }: PortalPage) => ({
  name: page.getByLabel('Name'),
  email: page.getByLabel('E-mail'),
  comment: page.getByLabel('Comment'),
  id: page.getByLabel('partner_id', { exact: false }).and(page.locator('input')),
  save: page.getByRole('button', { name: 'Save' }),
});

journeys('ISPs', {
  'an ISP is created with the menu and the form, once despite a double click; its id is copied, and it is edited': async (traveller) => {
    const { portal, page, stack, width } = traveller;
    const { name, email, comment, save } = fieldsOf(portal);
    await portal.open();
    await portal.chooseFromMenu('ISPs');
    await page.getByRole('link', { name: 'New ISP' }).first().click();
    await name.fill(`Donau ${width}`);
    await email.fill('noc@donau.example');
    await traveller.checkAccessibility();
    await save.dblclick();
    await page.getByRole('heading', { level: 1, name: `Donau ${width}` }).waitFor();
    await page.getByRole('button', { name: 'Copy partner_id' }).click();
    await portal.status.getByText('partner_id copied').waitFor();
    const [isp, ...others] = await named(stack, `Donau ${width}`);
    assert.deepEqual(others, []);
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), isp?.partner_id);
    await traveller.checkAccessibility();

    await page.getByLabel('Tenant of the ISP').fill('Donau');
    traveller.expects(/422/);
    await save.click();
    await page.getByText('lower-case letters').waitFor();
    await page.getByLabel('Tenant of the ISP').fill(`donau.${width}`);
    await save.click();
    await portal.status.getByText('Saved').waitFor();
    const covered = await page.evaluate(() => {
      const over = document.querySelector('.announcements p')!.getBoundingClientRect();
      return [...document.querySelectorAll('header :is(a, button, input), h1')].flatMap((element) => {
        const { top, bottom, left, right } = element.getBoundingClientRect();
        const isUnder = top < over.bottom && bottom > over.top && left < over.right && right > over.left;
        return isUnder ? [element.textContent] : [];
      });
    });
    assert.deepEqual(covered, [], 'the announcement hides nothing of the menu');
    await page.reload();
    await email.fill('');
    await comment.fill('Contract of 2026');
    await save.click();
    await portal.status.getByText('Saved').waitFor();
    const [edited] = await named(stack, `Donau ${width}`);
    assert.deepEqual([edited?.email, edited?.comment, edited?.isp_tenant], [undefined, 'Contract of 2026', `donau.${width}`]);
    await portal.chooseFromMenu('ISPs');
    await page.getByRole('link', { name: `Donau ${width}` }).waitFor();
    await traveller.checkAccessibility();
  },

  'errors are shown next to their fields; a name or an id that is taken is refused': async (traveller) => {
    const { portal, page, stack, width } = traveller;
    traveller.expects(/4(22|09|04)/);
    const { name, email, id, save } = fieldsOf(portal);
    const taken = await create(stack, `Taken ${width}`);
    await portal.open('isps/new');
    await save.click();
    await page.getByText('This field is required.').waitFor();
    await portal.hasFocus(name);
    await name.fill('x'.repeat(256));
    await email.fill('no address');
    await save.click();
    await page.waitForFunction(() => document.querySelectorAll('[aria-invalid=true]').length === 2);
    await traveller.checkAccessibility();
    await name.fill(`Other ${width}`);
    await email.fill('');
    for (const [typed, words] of [
      ['no id', /UUID/],
      [taken.partner_id, /Another ISP is registered/],
    ] as const) {
      await id.fill(typed);
      await save.click();
      await page.getByText(words).waitFor();
    }
    await id.fill('');
    await name.fill(taken.name);
    await save.click();
    await portal.failure.getByText('The name is taken').waitFor();
    await portal.failure.getByText(taken.partner_id).waitFor();
  },

  'with two tabs, the second to save gets a conflict; a deleted ISP can be created again': atOneWidth(async (traveller) => {
    const { portal, page, stack, width } = traveller;
    traveller.expects(/4(12|04)/);
    const { email, comment, save } = fieldsOf(portal);
    const { partner_id, name } = await create(stack, `Shared ${width}`);
    await portal.open(`isps/${partner_id}`);
    await comment.fill('typed here');
    await stack.api('PUT', `${PATH}${partner_id}/`, { name, email: 'other@tab.example' });
    await save.click();
    await portal.failure.getByText('Someone else has changed this in the meantime').waitFor();
    await page.getByRole('button', { name: 'Show the saved values' }).click();
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>('input[name=email]')?.value === 'other@tab.example');
    await email.fill('both@tab.example');
    await save.click();
    await portal.status.getByText('Saved').waitFor();

    await stack.api('DELETE', `${PATH}${partner_id}/`);
    await comment.fill('typed after');
    await save.click();
    await page.getByRole('button', { name: 'Show the saved values' }).click();
    await portal.failure.getByText('Not found').waitFor();
  }),

  'an ISP that an event refers to cannot be deleted, and the page says why; an unused ISP can be deleted': async (traveller) => {
    const { portal, page, stack, width } = traveller;
    traveller.expects(/409/);
    const [used, unused] = [await create(stack, `Used ${width}`), await create(stack, `Unused ${width}`)];
    const entity_id = crypto.randomUUID();
    await stack.api('PUT', '/api/v2/sys/events/', {
      entity_id,
      event_type: 'activation',
      event_at: '2026-01-15T09:30:00+01:00',
      sys_attributes: { partner_id: used.partner_id, article_codes: ['FIBRE-100'] },
    });
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true });
    await portal.open(`isps/${used.partner_id}`);
    await page.getByRole('button', { name: 'Delete the ISP' }).click();
    await traveller.checkAccessibility();
    await confirm.click();
    await portal.failure.getByText('Events refer to this ISP').waitFor();
    assert.equal(await confirm.count(), 0);
    await page.goto(`${portal.url}isps/${unused.partner_id}`);
    await page.getByRole('button', { name: 'Delete the ISP' }).click();
    await confirm.click();
    await portal.isAt('isps');
    await portal.status.getByText(`Unused ${width} was deleted`).waitFor();
    assert.deepEqual(await named(stack, `Unused ${width}`), []);
  },

  'a long name takes at most two lines in the list, and ids and dates do not wrap': atOneWidth(async (traveller) => {
    const { portal, page, stack, width } = traveller;
    const long = await create(stack, 'W'.repeat(255));
    await create(stack, `Short ${width}`);
    await portal.open('isps');
    const cells = page
      .getByRole('row')
      .filter({ has: page.getByTitle(long.partner_id) })
      .getByRole('cell');
    await cells.first().waitFor();
    const heights = await cells.evaluateAll((all) => all.map((cell) => (cell.firstElementChild ?? cell).getBoundingClientRect().height));
    assert.ok(heights[0]! < 60, `${heights[0]} px`);
    for (const line of [page.getByTitle(long.partner_id), cells.locator('time')]) {
      const { height } = (await line.boundingBox())!;
      assert.ok(height < 30, `${height} px`);
    }
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    assert.equal(await page.getByRole('button', { name: `Copy partner_id, Short ${width}` }).count(), 1);
  }),

  'in German, what a service says about a field is in German': atOneWidth(async (traveller) => {
    const { portal, page } = traveller;
    traveller.expects(/422/);
    await portal.open('isps/new');
    await portal.chooseLanguage('Deutsch');
    await page.getByLabel('Name').fill('N');
    await page.getByLabel('E-Mail').fill('nobody');
    await page.getByRole('button', { name: 'Speichern' }).click();
    assert.equal(await page.getByText('muss eine E-Mail-Adresse mit höchstens 254 Zeichen sein').getAttribute('lang'), null);
    await page.getByLabel('Name').fill('');
    await page.getByRole('button', { name: 'Speichern' }).click();
    assert.equal(await page.getByText('Dieses Feld ist erforderlich.').getAttribute('lang'), null);
  }),
});
