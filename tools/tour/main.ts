import { isReady } from '@fibre/testing/processes';
import { demoClient } from '../dev-issuer/demo-accounts.js';
import { COVERAGE_PORT, EVENT_PORT, HOST, ISSUER_PORT } from '../workspace.js';
import { Client, step, type TourClient } from './client.js';
import { tourCoverage } from './coverage.js';
import { tourEvents } from './events.js';

/** `npm run tour`: shows both APIs at work, on the services that `npm start` runs, or on others whose issuer knows these two clients. */
const {
  COVERAGE_URL = `http://${HOST}:${COVERAGE_PORT}`,
  EVENTS_URL = `http://${HOST}:${EVENT_PORT}`,
  ISSUER_URL = `http://${HOST}:${ISSUER_PORT}`,
} = process.env;

/** A demo client; at an issuer that others can reach, its secret is in an environment variable. */
function withSecret(id: string, variable: string): TourClient {
  const { secret } = demoClient(id);
  const ofTheirs = process.env[variable];
  return ofTheirs ? { id, secret: ofTheirs, shown: `"$${variable}"` } : { id, secret, shown: secret };
}

async function tour(): Promise<void> {
  for (const url of [`${ISSUER_URL}/.well-known/openid-configuration`, `${COVERAGE_URL}/health/ready`, `${EVENTS_URL}/health/ready`])
    if (!(await isReady(url))) throw new Error(`${url} does not respond. First run npm start in another terminal, with the same ports.`);
  step('An access token, as a network operator, and one as an internet service provider, who may only search');
  const operator = await Client.connect(ISSUER_URL, withSecret('ano-demo', 'ANO_DEMO_SECRET'), 'TOKEN');
  const provider = await Client.connect(ISSUER_URL, withSecret('isp-demo', 'ISP_DEMO_SECRET'), 'ISP_TOKEN');
  await tourCoverage(operator.at(COVERAGE_URL), provider.at(COVERAGE_URL));
  await tourEvents(operator.at(EVENTS_URL));
}

await tour().catch((error: Error) => {
  console.error(error.message);
  process.exit(1); // other requests may still be running
});
