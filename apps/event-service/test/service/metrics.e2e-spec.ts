import type { TestService } from '@fibre/testing';
import { startEvents } from '../events/events.js';

let service: TestService;

beforeAll(async () => ({ service } = await startEvents()));
afterAll(() => service.close());

async function valueOf(series: string): Promise<number> {
  const { text } = await service.anonymous().get('/metrics');
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `));
  return Number(line?.slice(series.length));
}

test('the connection pool reports its usage', async () => {
  expect(await valueOf('db_pool_max_connections{pool="primary"}')).toBe(10);
  expect(await valueOf('db_pool_idle_connections{pool="primary"}')).toBeGreaterThan(0);
  expect(await valueOf('db_pool_used_connections{pool="primary"}')).toBe(0);
  expect(await valueOf('db_pool_waiting_requests{pool="primary"}')).toBe(0);
});
