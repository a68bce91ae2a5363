import assert from 'node:assert/strict';
import { atOneWidth, journeys } from './journey.js';
import { RelationsPages } from './pages/relations-pages.js';

const PAGES = ['', 'relations', 'relations/new', 'coverage', 'entities', 'isps', 'no-such-page'];

journeys('the shell', {
  'signing in leads to the requested page, and a reload does not ask again': atOneWidth(async ({ portal, page }) => {
    await portal.forgetPerson();
    await portal.open('entities?state=active');
    assert.equal(await portal.heading.textContent(), 'Entities');
    assert.match(page.url(), /entities\?state=active$/);
    await page.reload();
    await portal.arrive();
    assert.match(page.url(), /entities\?state=active$/);
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    assert.doesNotMatch(kept, /access_token|refresh_token|id_token|eyJ/);
  }),

  'a wrong password is rejected': atOneWidth(async (traveller) => {
    const { portal, page } = traveller;
    traveller.expects(/401/);
    await portal.forgetPerson();
    await page.goto(portal.url);
    await portal.signIn('anna@ano.demo', 'wrong');
    await page.getByText(/The e-mail address or password is wrong|Invalid username or password/).waitFor();
  }),

  'signing out ends the session in every tab': async (traveller) => {
    const { portal, page } = traveller;
    await portal.open();
    const other = await traveller.newTab();
    await other.page.goto(other.url);
    await other.arrive();
    await portal.signOut();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await other.page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('Password', { exact: true }).waitFor();
  },

  'a tab with unsaved input also forgets its token when another tab signs out': atOneWidth(async (traveller) => {
    const { portal, page, stack } = traveller;
    await portal.open();
    const other = await traveller.newTab();
    await other.page.goto(`${other.url}isps/new`);
    await other.page.getByLabel('Name').click();
    await other.page.keyboard.type('After sign-out');
    // The person chooses to stay when the browser asks whether to leave.
    other.page.on('dialog', (dialog) => void dialog.dismiss());
    await portal.signOut();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await other.page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    assert.equal(await other.page.getByRole('button', { name: 'Save' }).count(), 0);
    assert.deepEqual(await stack.api('GET', '/api/v2/sys/isps/?name=After%20sign-out'), []);
  }),

  'signing out of the portal works even if the issuer cannot end sessions': atOneWidth(async (traveller) => {
    const { portal, page } = traveller;
    await page.route('**/.well-known/openid-configuration', async (route) => {
      const { end_session_endpoint: _, ...others } = (await (await route.fetch()).json()) as Record<string, unknown>;
      await route.fulfill({ json: others });
    });
    await portal.open();
    await portal.signOut();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
  }),

  'an unexpected response from the issuer is explained': async (traveller) => {
    const { portal, page } = traveller;
    traveller.expects(/No matching state/);
    await page.goto(`${portal.url}signed-in?code=x&state=y`);
    await page.getByText('Sign-in was not completed').waitFor();
    assert.equal(await page.getByText('No matching state').count(), 0);
    await traveller.checkAccessibility();
  },

  'an ISP starts on the search page and sees nothing else than its lines and charges': async (traveller) => {
    const { portal, page } = traveller;
    await portal.open('', 'ivan@isp.demo');
    await portal.isAt(/^coverage/);
    await page.getByRole('combobox', { name: /^Address, place/ }).waitFor();
    const opener = page.getByRole('button', { name: 'Menu' });
    if (await opener.isVisible()) await opener.click();
    assert.deepEqual(await page.getByRole('navigation').getByRole('link').allTextContents(), ['Search', 'My lines', 'Billing']);
    for (const path of ['relations', 'relations/new', 'entities', 'isps/new']) {
      await page.goto(portal.url + path);
      await page.getByRole('heading', { level: 1, name: 'You do not have access to this page' }).waitFor();
      assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0);
    }
    await traveller.checkAccessibility();
  },

  'every page works in both languages and themes, and axe finds no violations': async (traveller) => {
    const { portal, page } = traveller;
    await portal.open();
    for (const [language, theme, lang, ground] of [
      ['English', 'light', 'en', 'rgb(246, 247, 246)'],
      ['Deutsch', 'dark', 'de', 'rgb(20, 24, 23)'],
    ] as const) {
      await portal.chooseLanguage(language);
      await page.emulateMedia({ colorScheme: theme });
      assert.equal(await page.locator('html').getAttribute('lang'), lang);
      assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor), ground);
      for (const path of PAGES) {
        await page.goto(portal.url + path);
        await portal.arrive();
        await page.locator('.loading').first().waitFor({ state: 'detached' });
        await traveller.checkAccessibility();
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${path} is wider than the window`);
      }
    }
  },

  'each page has a title, and the focus moves to its heading': async ({ portal, page }) => {
    // The entry of the current page is bold, and its neighbours do not move.
    const menu = (): Promise<number[]> =>
      page.locator('#menu > ul > li').evaluateAll((entries) => entries.map((entry) => entry.getBoundingClientRect().left));
    await portal.open();
    assert.equal(await page.title(), 'Overview · Open Access Fibre');
    const before = await menu();
    await portal.chooseFromMenu('Organisation', 'Relations');
    await page.getByRole('heading', { level: 1, name: 'Relations' }).waitFor();
    assert.equal(await page.title(), 'Relations · Open Access Fibre');
    await portal.hasFocus(portal.heading);
    assert.deepEqual(await menu(), before);
    await page.goBack();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  },

  'a page that cannot be loaded says so, and trying again loads it': async (traveller) => {
    const { portal, page } = traveller;
    traveller.expects(/ERR_FAILED/);
    await portal.open();
    // The browser may ask for the file more than once, because it is told early that it will need it.
    await page.route(/relations-[^/]+\.js$/, (route) => route.abort());
    await portal.chooseFromMenu('Organisation', 'Relations');
    await page.getByRole('heading', { level: 1, name: 'This page could not be loaded' }).waitFor();
    await traveller.checkAccessibility();
    await page.unroute(/relations-[^/]+\.js$/);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Relations' }).waitFor();
    await portal.isAt('relations');
  },

  'a relation can be created with only the keyboard': async (traveller) => {
    const { portal, page, width } = traveller;
    const { keyboard } = page;
    const focused = (): Promise<string> => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '');
    const tabTo = async (text: string): Promise<void> => {
      for (let i = 0; i < 30; i++) {
        await keyboard.press('Tab');
        if ((await focused()) === text) return;
      }
      assert.fail(`Tab does not reach ${text}`);
    };
    await portal.open();
    await page.reload();
    await portal.arrive();
    await keyboard.press('Tab');
    assert.equal(await focused(), 'Skip to the content');
    await keyboard.press('Enter');
    await portal.hasFocus(page.getByRole('main'));

    await page.goto(portal.url);
    await portal.arrive();
    if (width < 800) {
      await tabTo('Menu');
      await keyboard.press('Enter');
    }
    await tabTo('Organisation');
    await keyboard.press('Enter');
    await tabTo('Relations');
    await keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Relations' }).waitFor();
    await tabTo('New relation');
    await keyboard.press('Enter');
    const pages = RelationsPages.of(portal);
    await portal.hasFocus(page.getByRole('heading', { level: 1, name: 'New relation' }));
    await keyboard.press('Tab');
    await portal.hasFocus(pages.name);
    await keyboard.type(`By keyboard, ${width}`);
    await keyboard.press('Tab');
    await keyboard.type('Stadtnetz');
    await keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: `By keyboard, ${width}` }).waitFor();
    await tabTo('Copy relation_id');
    await keyboard.press('Enter');
    await portal.status.getByText('relation_id copied').waitFor();
  },
});
