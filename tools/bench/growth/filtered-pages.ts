import type { Issuer } from '../issuer.js';
import { table } from '../report.js';
import type { Server } from '../running.js';
import { type FilteredList, queriesOf } from './filters.js';
import { latencies, type Latency, latencyOf, shown } from './latency.js';

/** Records of a page that a person looks at. */
export const PAGE = 100;
/** Requests of one combination of filters. */
const REQUESTS = 20;
const MAX_P95_MS = 100;
/** Of requests that are answered 503, since their deadline has passed. */
const TOO_LATE: Latency = { p50: Infinity, p95: Infinity };

/** First pages by each filter and pair of filters, with the count: a row for each list, with the slowest combination by name. */
export async function measureFiltered(server: Server, token: Issuer['token'], lists: readonly FilteredList[]): Promise<string> {
  const rows: string[][] = [];
  for (const list of lists) {
    const bearer = await token(list.tenant, list.scope);
    const found: (Latency & { query: string })[] = [];
    for (const query of queriesOf(list)) {
      const requests = [{ path: `${list.path}${query}&_page_size=${PAGE}` }];
      const [times] = await latencies([{ server, token: bearer, requests }], REQUESTS).catch(tooLate);
      found.push({ ...times, query });
      if (times.p95 > MAX_P95_MS) say(`  ${list.path}${query}: p50 ${shown(times.p50)}, p95 ${shown(times.p95)}`);
    }
    const slowest = found.reduce((one, other) => (other.p95 > one.p95 ? other : one));
    const slow = found.filter(({ p95 }) => p95 > MAX_P95_MS).length;
    rows.push([
      `\`${list.path.replace(/[?&]$/, '')}\``,
      String(found.length),
      shown(latencyOf(found.map(({ p50 }) => p50)).p50),
      `${shown(slowest.p95)}: \`${decodeURIComponent(slowest.query)}\``,
      `${slow} of ${found.length}`,
      slow === 0 ? 'met' : '**missed**',
    ]);
    say(rows.at(-1)!.join(' | '));
  }
  return table(['List', 'Filters and pairs', 'p50, median', 'Slowest p95', `p95 over ${MAX_P95_MS} ms`, ''], rows);
}

function tooLate(error: Error): [Latency] {
  if (!error.message.includes(' not 503: ')) throw error;
  return [TOO_LATE];
}

const say = (text: string): void => void process.stdout.write(`${text}\n`);
