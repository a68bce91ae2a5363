import type { TestService } from '@fibre/testing';
import { activation, newEntity, notification, READ_WRITE, startEvents } from '../events/events.js';
import { clientOf } from '../order/traffic.js';

let service: TestService;

beforeAll(async () => ({ service } = await startEvents()));
afterAll(() => service.close());

async function valueOf(series: string): Promise<number> {
  const { text } = await service.anonymous().get('/metrics');
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `));
  return Number(line?.slice(series.length));
}

test('conflicting writes to a timeline are counted', async () => {
  expect(await valueOf('timeline_retries_total')).toBe(0);
  const { put } = clientOf(service.url, await service.issuer.token(READ_WRITE));
  expect((await put(activation(newEntity(), 1))).status).toBe(201);
  expect(await valueOf('timeline_retries_total')).toBe(0);

  const entity = newEntity();
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => put(notification(entity, 1, { sys_attributes: { option82: `${index}` } }))),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  expect(await valueOf('timeline_retries_total')).toBeGreaterThan(0);
});

test('the connection pool reports its usage', async () => {
  expect(await valueOf('db_pool_max_connections{pool="primary"}')).toBe(10);
  expect(await valueOf('db_pool_idle_connections{pool="primary"}')).toBeGreaterThan(0);
  expect(await valueOf('db_pool_used_connections{pool="primary"}')).toBe(0);
  expect(await valueOf('db_pool_waiting_requests{pool="primary"}')).toBe(0);
});
