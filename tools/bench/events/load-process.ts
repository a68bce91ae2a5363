import { randomUUID } from 'node:crypto';
import autocannon from 'autocannon';
import type { Load, LoadResult } from '../load-process.js';
import type { BenchRequest } from '../scenario.js';
import { NEW_ENTITY } from './requests.js';

/** With how often each status was answered. */
export interface EventLoadResult extends LoadResult {
  statuses: Record<string, number>;
}

/** As the load process of the other suites, but for entities that are new in every request. */
process.on('message', (load: Load) => {
  void shoot(load).then((result) => process.send!(result));
});

const withNewEntity = (request: BenchRequest): autocannon.Request =>
  request.body?.includes(NEW_ENTITY) ? { ...request, setupRequest: (sent) => ({ ...sent, body: request.body!.replace(NEW_ENTITY, randomUUID()) }) } : request;

async function shoot({ url, token, connections, seconds, requests }: Load): Promise<EventLoadResult> {
  const share = Math.ceil(requests.length / connections);
  let client = 0;
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    setupClient: (connection) => {
      const begin = (client++ * share) % requests.length;
      connection.setRequests(requests.slice(begin, begin + share).map(withNewEntity));
    },
  });
  return {
    perSecond: result.requests.total / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    megabytesPerSecond: result.throughput.total / result.duration / 1e6,
    failures: result.non2xx + result.errors + result.timeouts,
    statuses: Object.fromEntries(Object.entries(result.statusCodeStats ?? {}).map(([status, { count }]) => [status, Number(count)])),
  };
}
