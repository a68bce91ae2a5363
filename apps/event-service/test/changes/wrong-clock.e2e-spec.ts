import {
  cloneDatabase,
  type ClonedDatabase,
  type ServiceProcess,
  startServiceProcess,
  startTestIssuer,
  type TestIssuer,
  until,
} from '@fibre/testing';
import { activation, newEntity, READ_WRITE } from '../events/events.js';
import { clientOf } from '../order/traffic.js';

/** Node option that makes the service read a clock that is ahead by this many milliseconds. */
const clockAhead = (ms: number): string =>
  `--import=data:text/javascript,${encodeURIComponent(`
    const Real = Date;
    globalThis.Date = class extends Real {
      constructor(...given) { given.length === 0 ? super(Real.now() + ${ms}) : super(...given); }
      static now() { return Real.now() + ${ms}; }
    };`)}`;

let issuer: TestIssuer;
let database: ClonedDatabase;
let service: ServiceProcess;

beforeAll(async () => {
  [issuer, database] = await Promise.all([startTestIssuer(), cloneDatabase()]);
  const settings = { DATABASE_URL: database.url, OAUTH_ISSUER: issuer.url, LOG_LEVEL: 'info', NODE_OPTIONS: clockAhead(4_000) };
  service = await startServiceProcess('event-service', settings);
});
afterAll(async () => {
  await service.kill();
  await Promise.all([issuer.close(), database.drop()]);
});

test('a service whose clock is four seconds ahead of its database still serves reads, rejects writes, and logs why', async () => {
  const client = clientOf(service.url, await issuer.token(READ_WRITE));
  expect((await client.put(activation(newEntity(), 1))).status).toBe(503);
  expect(await client.get()).toMatchObject({ status: 200, body: [] });
  const isSaid = (): boolean =>
    service.log().some(({ level, msg }) => level === 'error' && String(msg).includes('ahead of the clock of its database'));
  await until('the log to say so', isSaid);
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  const [, seconds] = /^db_clock_difference_seconds (\S+)$/m.exec(metrics)!;
  expect(Number(seconds)).toBeGreaterThan(3.5);
  expect(Number(seconds)).toBeLessThan(4.5);
});
