import type { BrowserContext, Locator, Page } from '../../../../../extra/browser.js';

/** Who signed in last in a window. */
const people = new WeakMap<BrowserContext, string>();

/** What all pages of the portal share. Names are in English; German tests pass the German names. */
export class PortalPage {
  readonly heading: Locator;
  readonly failure: Locator;
  readonly status: Locator;
  private readonly menu: Locator;

  constructor(
    readonly page: Page,
    readonly url: string,
  ) {
    this.heading = page.getByRole('heading', { level: 1 });
    this.failure = page.getByRole('alert');
    this.status = page.locator('.announcements');
    this.menu = page.getByRole('navigation');
  }

  /** Opens a page, and signs in if the issuer asks for a password or knows somebody else. */
  async open(path = '', email = 'anna@ano.demo'): Promise<void> {
    if (people.get(this.page.context()) !== email) await this.forgetPerson();
    await this.page.goto(this.url + path);
    // The issuer may already know the person and ask for nothing. Its page may also have a header, hence the class.
    const password = this.page.getByLabel('Password', { exact: true });
    await this.page.locator('header.header').or(password).waitFor();
    if (await password.isVisible()) await this.signIn(email);
    await this.arrive();
  }

  /** Waits until the portal is open and the person is signed in. */
  async arrive(): Promise<void> {
    await this.page.locator('header.header').waitFor();
    await this.heading.waitFor();
  }

  /** Waits until this element has the focus. */
  async hasFocus(element: Locator): Promise<void> {
    await element.and(this.page.locator(':focus')).waitFor();
  }

  /** Makes the issuer forget who is signed in in this window. */
  forgetPerson(): Promise<void> {
    return this.page.context().clearCookies();
  }

  /** Signs in on the issuer's page. */
  async signIn(email = 'anna@ano.demo', password = 'demo'): Promise<void> {
    people.set(this.page.context(), email);
    await this.page.getByLabel(/e-?mail/i).fill(email);
    await this.page.getByLabel('Password', { exact: true }).fill(password);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
  }

  /** Navigates with the menu: `chooseFromMenu('Organisation', 'Relations')`. */
  async chooseFromMenu(...path: string[]): Promise<void> {
    const opener = this.page.getByRole('button', { name: 'Menu' });
    if (await opener.isVisible()) await opener.click();
    const page = path.pop()!;
    for (const group of path) await this.menu.getByRole('button', { name: group }).click();
    await this.menu.getByRole('link', { name: page }).click();
  }

  async chooseLanguage(name: string): Promise<void> {
    await this.account().click();
    await this.page.getByLabel(/Language|Sprache/).selectOption({ label: name });
    await this.page.keyboard.press('Escape');
  }

  /** Waits until the window is at this path of the portal. */
  async isAt(path: string | RegExp): Promise<void> {
    await this.page.waitForURL((url) => {
      const here = url.href.slice(this.url.length);
      return url.href.startsWith(this.url) && (typeof path === 'string' ? here === path : path.test(here));
    });
  }

  async signOut(): Promise<void> {
    await this.account().click();
    await this.page.getByRole('button', { name: 'Sign out' }).click();
  }

  private account(): Locator {
    return this.page.getByRole('button', { name: /Account and settings|Konto und Einstellungen/ });
  }
}
