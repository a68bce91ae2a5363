import { startTestIssuer, type TestIssuer } from '@fibre/testing';
import { volume } from '@fibre/testing/volume';
import { AcknowledgedTraffic } from './acknowledged-traffic.js';
import { READ_WRITE } from '../events/events.js';
import { MortalService } from './mortal-service.js';

const REQUESTS = volume(150, 400, 2_000);
const KILLS = volume(2, 2, 6);

let issuer: TestIssuer;
let stack: MortalService;

beforeAll(async () => {
  issuer = await startTestIssuer();
  stack = new MortalService(issuer.url);
  await stack.start();
});
afterAll(async () => {
  await stack.stop();
  await issuer.close();
});

test('no acknowledged event is lost or duplicated while service and database are killed repeatedly', async () => {
  const token = await issuer.token({ ...READ_WRITE, claims: { exp: Math.floor(Date.now() / 1_000) + 3_600 } });
  const traffic = new AcknowledgedTraffic(stack.url, token, REQUESTS);
  const recorded = traffic.run();
  for (let kill = 1; kill <= KILLS; kill++) {
    await traffic.reaches(kill / (KILLS + 1));
    await (kill % 2 ? stack.killService() : stack.killDatabase());
  }
  await recorded;

  const expected = ['200', '201', 'no answer', '503 unavailable', '503 outcome-unknown'];
  expect([...traffic.answers.keys()].filter((answer) => !expected.includes(answer))).toEqual([]);
  expect(traffic.answers.get('no answer')).toBeGreaterThan(0);
  expect(await traffic.stored()).toEqual(traffic.acknowledged);
  expect(traffic.acknowledged.size).toBe(REQUESTS);
  // The test can be set to run for minutes.
}, 900_000);
