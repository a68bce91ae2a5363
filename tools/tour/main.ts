import { isReady } from '@fibre/testing/processes';
import { demoClient } from '../dev-issuer/demo-accounts.js';
import { COVERAGE_PORT, EVENT_PORT, HOST, ISSUER_PORT } from '../workspace.js';
import { Client, step } from './client.js';
import { tourCoverage } from './coverage.js';
import { tourEvents } from './events.js';

/** `npm run tour`: shows both APIs at work, on the services that `npm start` runs, or on others that know the demo clients. */
const {
  COVERAGE_URL = `http://${HOST}:${COVERAGE_PORT}`,
  EVENTS_URL = `http://${HOST}:${EVENT_PORT}`,
  ISSUER_URL = `http://${HOST}:${ISSUER_PORT}`,
} = process.env;

async function tour(): Promise<void> {
  for (const url of [`${ISSUER_URL}/.well-known/openid-configuration`, `${COVERAGE_URL}/health/ready`, `${EVENTS_URL}/health/ready`])
    if (!(await isReady(url))) throw new Error(`${url} does not respond. First run npm start in another terminal, with the same ports.`);
  step('An access token, as a network operator, and one as an internet service provider, who may only search');
  const operator = await Client.connect(ISSUER_URL, demoClient('ano-demo'), 'TOKEN');
  const provider = await Client.connect(ISSUER_URL, demoClient('isp-demo'), 'ISP_TOKEN');
  await tourCoverage(operator.at(COVERAGE_URL), provider.at(COVERAGE_URL));
  await tourEvents(operator.at(EVENTS_URL));
}

await tour().catch((error: Error) => {
  console.error(error.message);
  process.exit(1); // other requests may still be running
});
