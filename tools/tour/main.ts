import { parseArgs } from 'node:util';
import { isReady } from '@fibre/testing/processes';
import { demoClient } from '../dev-issuer/demo-accounts.js';
import { COVERAGE_PORT, EVENT_PORT, HOST, ISSUER_PORT } from '../workspace.js';
import { tourBilling } from './billing.js';
import { Client, step } from './client.js';
import { tourCoverage } from './coverage.js';
import { tourEvents } from './events.js';

const { COVERAGE_URL, EVENTS_URL, ISSUER_URL } = process.env;
const ISSUER = ISSUER_URL || `http://${HOST}:${ISSUER_PORT}`;
const PARTS = {
  coverage: { api: COVERAGE_URL || `http://${HOST}:${COVERAGE_PORT}`, tour: tourCoverage },
  events: { api: EVENTS_URL || `http://${HOST}:${EVENT_PORT}`, tour: tourEvents },
  billing: { api: EVENTS_URL || `http://${HOST}:${EVENT_PORT}`, tour: tourBilling },
};
type Part = keyof typeof PARTS;

const HELP = `npm run tour                 shows both APIs at work, on the services that npm start runs
npm run tour -- coverage     the coverage API: 2,266 places in Austria, which remain for you to experiment with
npm run tour -- events       the event API: the life of a subscription
npm run tour -- billing      what is charged, and what has changed since an invoice

COVERAGE_URL, EVENTS_URL and ISSUER_URL can name other servers that know the demo clients.`;

function readParts(): Part[] | 'help' {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { help: { type: 'boolean', short: 'h' } } });
  if (values.help) return 'help';
  const known = Object.keys(PARTS) as Part[];
  const unknown = positionals.find((name) => !known.some((part) => part === name));
  if (unknown !== undefined) throw new Error(`The tour has no part "${unknown}"; its parts are ${known.join(', ')}.`);
  return known.filter((name) => positionals.length === 0 || positionals.includes(name));
}

async function requireRunning(urls: string[]): Promise<void> {
  for (const url of urls)
    if (!(await isReady(url)))
      throw new Error(
        `The services are not running: ${url} does not respond. First run npm start in another terminal, with the same ports.`,
      );
}

async function tour(parts: readonly Part[]): Promise<void> {
  await requireRunning([`${ISSUER}/.well-known/openid-configuration`, ...parts.map((name) => `${PARTS[name].api}/health/ready`)]);
  step('An access token, as a network operator');
  const operator = await Client.connect(ISSUER, demoClient('ano-demo'));
  for (const name of parts) await PARTS[name].tour(PARTS[name].api, ISSUER, operator);
}

/** A failed request's error is generic; its cause explains it. */
function words(error: unknown): string {
  const { message, cause } = error as Error;
  return cause ? `${message}: ${words(cause)}` : message;
}

try {
  const parts = readParts();
  if (parts === 'help') console.log(HELP);
  else await tour(parts);
} catch (error) {
  console.error(words(error));
  process.exit(1); // other requests may still be running
}
