import { launchChromium } from './chromium.js';
import { PortalPage } from './pages/portal-page.js';
const base = process.argv[2]!;
const browser = await launchChromium();
const context = await browser.newContext({ viewport: { width: Number(process.argv[3] ?? 1280), height: 800 }, locale: 'en-GB' });
const page = await context.newPage();
page.setDefaultTimeout(15000);
page.on('console', (m) => console.log('console', m.type(), m.text(), m.location().url));
page.on('pageerror', (e) => console.log('pageerror', e));
page.on('response', (r) => r.status() >= 400 && console.log(r.status(), r.url()));
const portal = new PortalPage(page, base);
try {
  await portal.open(process.argv[4] ?? '');
} catch (e) { console.log(String(e).slice(0, 300)); }
console.log(page.url(), await page.title());
await page.screenshot({ path: '/tmp/probe.png' });
await browser.close();
