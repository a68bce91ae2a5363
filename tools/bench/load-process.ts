import autocannon from 'autocannon';
import type { BenchRequest } from './scenario.js';

/** What the load process is told. */
export interface Load {
  url: string;
  token: string;
  connections: number;
  seconds: number;
  requests: BenchRequest[];
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
}

/** A process of its own, so that sending load takes no time from what else the bench does. */
process.on('message', (load: Load) => {
  void shoot(load).then((result) => process.send!(result));
});

async function shoot({ url, token, connections, seconds, requests }: Load): Promise<LoadResult> {
  const share = Math.ceil(requests.length / connections);
  let client = 0;
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    headers: { authorization: `Bearer ${token}` },
    setupClient: (connection) => {
      const begin = (client++ * share) % requests.length;
      connection.setRequests(requests.slice(begin, begin + share));
    },
  });
  return {
    perSecond: result.requests.total / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    megabytesPerSecond: result.throughput.total / result.duration / 1e6,
    failures: result.non2xx + result.errors + result.timeouts,
  };
}
