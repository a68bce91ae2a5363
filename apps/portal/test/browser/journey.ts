import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { volume } from '@fibre/testing/volume';
import { AXE, type AxeResults, type Browser, type BrowserContext, launchChromium, type Page } from '../../../../extra/browser.js';
import { PortalPage } from './pages/portal-page.js';
import { Stack } from './setup/stack.js';

const WIDTHS = volume([1280], [1280, 390]);
const TIMEOUT_MS = 60_000;

/** What a browser test uses: the services, and a new tab of a window, in which an earlier test may have signed in. */
export class Traveller {
  /** Whether this window is of no use for other tests. */
  isWindowWorn = false;
  private readonly faults: string[] = [];
  private readonly expected: RegExp[] = [];
  readonly said: string[] = [];

  constructor(
    readonly stack: Stack,
    readonly context: BrowserContext,
    readonly page: Page,
    readonly width: number,
  ) {
    this.watch(page);
    // This includes windows that the page opens, and other tabs.
    context.on('page', (other) => this.watch(other));
  }

  get portal(): PortalPage {
    return new PortalPage(this.page, this.stack.portalUrl);
  }

  /** Lets two hours pass in the browser, so that its access token expires. */
  async waitTwoHours(): Promise<void> {
    this.isWindowWorn = true;
    await this.page.clock.setSystemTime(Date.now() + 2 * 3_600_000);
  }

  /** Another tab of the same browser. */
  async newTab(): Promise<PortalPage> {
    return new PortalPage(await this.context.newPage(), this.stack.portalUrl);
  }

  /** Says a figure next to the result of the test. */
  notes(figure: string): void {
    this.said.push(figure);
  }

  /** Declares errors that the test provokes, because the browser console reports every error response. */
  expects(fault: RegExp): void {
    this.expected.push(fault);
  }

  /** Fails if axe finds a violation on the page in the current theme. */
  async checkAccessibility(page = this.page): Promise<void> {
    // Axe is not loaded with a script element, which the Content-Security-Policy would block.
    if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
    // To find and send everything else that axe knows would take longer than the check itself.
    const violations = await page.evaluate<AxeResults['violations']>(
      `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)`,
    );
    const found = violations.map(
      ({ id, help, nodes }) => `${id}: ${help}\n${nodes.map(({ html, failureSummary }) => `${html}\n${failureSummary}`).join('\n')}`,
    );
    assert.deepEqual(found, []);
  }

  /** Fails if there were unexpected errors. */
  assertNoFaults(): void {
    assert.deepEqual(
      this.faults.filter((fault) => !this.expected.some((pattern) => pattern.test(fault))),
      [],
    );
  }

  private watch(page: Page): void {
    page.setDefaultTimeout(TIMEOUT_MS);
    page.on('pageerror', (error) => this.faults.push(`page error: ${error.message}`));
    // Blocked resources, violations of the Content-Security-Policy and failed requests also appear as errors in the console.
    page.on('console', (message) => {
      // Chromium without a graphics card logs this when it takes a screenshot of the map.
      if (message.text().includes('GL Driver Message (OpenGL, Performance')) return;
      if (['error', 'warning'].includes(message.type())) this.faults.push(`console: ${message.text()} (${message.location().url})`);
    });
    page.on('request', (request) => {
      const url = request.url();
      if (!/^(?:data|blob|about):/.test(url) && !this.stack.origins.includes(new URL(url).origin))
        this.faults.push(`request to another origin: ${url}`);
    });
  }
}

type Travel = (traveller: Traveller) => Promise<void>;
const once = new Set<Travel>();

/** A test of what looks the same at every width runs at one. */
export function atOneWidth(travel: Travel): Travel {
  once.add(travel);
  return travel;
}

/**
 * A file of browser tests: one set of services and one browser for all tests, and a separate tab for each test and width. The tabs share a
 * window, so that the browser loads the portal and a person signs in only once; a failed test leaves its window to no other test.
 * Unexpected errors also fail a test.
 */
export function journeys(title: string, all: Record<string, Travel>, settings?: Record<string, string>): void {
  let stack: Stack;
  let browser: Browser;
  let window: BrowserContext | undefined;
  before(async () => {
    [stack, browser] = await Promise.all([Stack.start(settings), launchChromium()]);
  });
  after(async () => {
    await Promise.all([browser?.close(), stack?.stop()]);
  });
  for (const width of WIDTHS) {
    void describe(`${title} at ${width} px`, () => {
      for (const [name, travel] of Object.entries(all)) {
        if (once.has(travel) && width !== WIDTHS[0]) continue;
        void test(name, async (running) => {
          window ??= await openWindow(browser);
          const traveller = new Traveller(stack, window, await openTab(window, stack.portalUrl, width), width);
          try {
            await travel(traveller);
            traveller.assertNoFaults();
            for (const figure of traveller.said) running.diagnostic(figure);
          } catch (error) {
            traveller.isWindowWorn = true;
            const picture = join(tmpdir(), `${title}-${name}-${width}.png`.replaceAll(/[^\w.]+/g, '-'));
            await traveller.page.screenshot({ path: picture });
            running.diagnostic(`screenshot: ${picture}`);
            throw error;
          } finally {
            if (traveller.isWindowWorn) {
              await window.close();
              window = undefined;
            }
          }
        });
      }
    });
  }
}

const openWindow = (browser: Browser): Promise<BrowserContext> =>
  browser.newContext({
    locale: 'en-GB',
    timezoneId: 'Europe/Vienna',
    // Otherwise a click or axe could reach an element while it is still fading in.
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });

/** Opens a tab, without any other tab and without anything that earlier tests have stored, such as a language or a theme. */
async function openTab(window: BrowserContext, portalUrl: string, width: number): Promise<Page> {
  window.removeAllListeners('page');
  const earlier = window.pages();
  const page = await window.newPage();
  // Now, because it takes Chromium longer to open a tab in a window that has none.
  await Promise.all(earlier.map((tab) => tab.close()));
  await page.setViewportSize({ width, height: 800 });
  const devTools = await window.newCDPSession(page);
  await devTools.send('Storage.clearDataForOrigin', { origin: new URL(portalUrl).origin, storageTypes: 'local_storage' });
  return page;
}
