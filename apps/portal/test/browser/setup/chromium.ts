import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Paths of Debian, Google and macOS. A headless shell is no substitute, because it never settles a map. */
const USUAL = ['/usr/bin/chromium', '/usr/bin/google-chrome', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];

export function launchChromium(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? USUAL.find((path) => existsSync(path));
  if (executablePath === undefined) throw new Error('There is no Chromium: apt-get install chromium, or CHROMIUM=<path of one>');
  // As root, Chromium has no sandbox; here it only runs our own code.
  const args = ['--enable-unsafe-swiftshader', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
  return chromium.launch({ executablePath, args: ['--headless=new', ...args], ignoreDefaultArgs: ['--headless'] });
}
