import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium } from 'playwright-core';

export type { AxeResults } from 'axe-core';
export type { Browser, BrowserContext, Download, Locator, Page } from 'playwright-core';

/** The script that a page runs to check itself with axe. */
export const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Paths on Debian, in Google's packages and on macOS. A headless shell is not a substitute, because a map never settles in it. */
const USUAL = ['/usr/bin/chromium', '/usr/bin/google-chrome', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];

export function launchChromium(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? USUAL.find((path) => existsSync(path));
  if (executablePath === undefined) throw new Error('Chromium not found: run apt-get install chromium, or set CHROMIUM=<path>');
  // Chromium cannot use its sandbox as root; here it only runs our own code.
  const args = ['--enable-unsafe-swiftshader', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
  return chromium.launch({ executablePath, args: ['--headless=new', ...args], ignoreDefaultArgs: ['--headless'] });
}
