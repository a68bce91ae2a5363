import { randomUUID } from 'node:crypto';
import autocannon from 'autocannon';
import { type BenchRequest, contentType, NEW_ID } from './requests.js';

/** What the load process is told. */
export interface Load {
  url: string;
  token: string;
  connections: number;
  seconds: number;
  requests: BenchRequest[];
  /** Requests per second of all connections together; as many as are answered when absent. */
  rate?: number;
}

/** What it answers. */
export interface LoadResult {
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  megabytesPerSecond: number;
  /** Answers other than 2xx, broken connections and timeouts. */
  failures: number;
  /** How often each status was answered. */
  statuses: Record<string, number>;
}

/** A process of its own, so that sending load takes no time from what else the bench does. */
process.on('message', (load: Load) => {
  void shoot(load).then((result) => process.send!(result));
});

async function shoot({ url, token, connections, seconds, requests, rate }: Load): Promise<LoadResult> {
  const share = Math.ceil(requests.length / connections);
  let client = 0;
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    ...(rate !== undefined && { overallRate: rate }),
    headers: { authorization: `Bearer ${token}` },
    setupClient: (connection) => {
      const begin = (client++ * share) % requests.length;
      connection.setRequests(requests.slice(begin, begin + share).map(toSend));
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

function toSend(request: BenchRequest): autocannon.Request {
  const { body } = request;
  const sent = { ...request, headers: contentType(request) };
  // Only where it is needed: a request that has this is put together anew each time.
  return body?.includes(NEW_ID) ? { ...sent, setupRequest: (next) => ({ ...next, body: body.replace(NEW_ID, randomUUID()) }) } : sent;
}
