import { withClient } from '@fibre/embedded-postgres';
import { onStage, prepareDatabase } from './setup/database.js';
import { ISP_TENANT, linesDataset } from './setup/events.js';
import { type BenchRequest, part, send } from './setup/load.js';
import { LISTED_TENANT, nodesDataset } from './setup/nodes.js';
import { MACHINE, say, table, verdict } from './setup/report.js';
import { newToken, type ServiceName } from './setup/service.js';
import { walk } from './suites/scenario.js';
import type { Options } from './suites/ratios.js';

/** Requests of one kind, and how long 19 of 20 may take. */
interface Timed {
  title: string;
  atMostMs: number;
  requests: readonly BenchRequest[];
}

const WARM_UP = 20;
const REQUESTS = 200;
const EVENTS_OF_A_LINE = 10;
const LINES = '/api/v2/sys/charges/lines';

/** `npm run bench -- times`: how long single requests take on one large table. */
export async function benchTimes({ nodes, events, only }: Options): Promise<void> {
  if ('search by words'.includes(only)) await timeWords(nodes);
  if ('lines'.includes(only)) await timeLines(events);
}

async function timeWords(nodes: number): Promise<void> {
  await onStage(['coverage-service'], async ({ issuer, postgres, start }) => {
    const databaseUrl = await prepareDatabase(postgres, nodesDataset(nodes, { hasAddresses: true }));
    const service = await start('coverage-service', databaseUrl);
    const token = await newToken(issuer, LISTED_TENANT, 'coverage:search');
    await report('coverage-service', nodes, await wordSearches(databaseUrl), (request) => send(service, request, token));
  });
}

/** Searches for the addresses of nodes, and for what is hard to find. */
async function wordSearches(databaseUrl: string): Promise<Timed[]> {
  const { rows } = await withClient(databaseUrl, (client) =>
    client.query<{ address: string }>('select address from access_node order by md5(node_id::text) limit $1', [REQUESTS + WARM_UP]),
  );
  const addresses = rows.map(({ address }) => /^(?<street>\S+) (?<number>\d+)\S* \d+ (?<town>\S+)$/.exec(address)!.groups!);
  const search = (q: string, filter = ''): BenchRequest => ({ path: `/v2/cov/search/addresses/?q=${encodeURIComponent(q)}${filter}` });
  const each = (text: (address: Record<string, string>) => string): BenchRequest[] => addresses.map((address) => search(text(address)));
  const [twoWords, common] = [50, 200];
  const often = ['wien', 'graz', 'linz', 'hauptstrasse', 'lindenweg'];
  const pairs = often.flatMap((one) => often.filter((other) => other !== one).map((other) => `${one} ${other}`));
  return [
    { title: 'a street and its town', atMostMs: twoWords, requests: each(({ street, town }) => `${street} ${town}`) },
    { title: 'how they begin', atMostMs: twoWords, requests: each(({ street, town }) => `${street!.slice(0, 5)} ${town!.slice(0, 4)}`) },
    {
      title: 'a street, a number and a town',
      atMostMs: twoWords,
      requests: each(({ street, number, town }) => `${street} ${number} ${town}`),
    },
    { title: 'one common word', atMostMs: common, requests: often.map((word) => search(word)) },
    { title: 'how a common word begins', atMostMs: common, requests: ['wie', 'haupt', 'bahnhof', 'lind'].map((word) => search(word)) },
    { title: 'two common words, most of which meet', atMostMs: common, requests: pairs.map((pair) => search(pair)) },
    {
      title: 'two common words that never meet',
      atMostMs: common,
      requests: ['wien graz', 'graz linz', 'linz wien'].map((pair) => search(pair)),
    },
    {
      title: 'a common word and a filter that few nodes pass',
      atMostMs: common,
      requests: often.map((word) => search(word, '&connected=true')),
    },
    {
      title: 'a common word and a filter that none passes',
      atMostMs: common,
      requests: often.map((word) => search(word, '&technology=none')),
    },
  ].map((timed) => ({ ...timed, title: `Search by words: ${timed.title}` }));
}

async function timeLines(events: number): Promise<void> {
  const entities = Math.ceil(events / EVENTS_OF_A_LINE);
  await onStage(['event-service'], async ({ issuer, postgres, start }) => {
    const databaseUrl = await prepareDatabase(postgres, linesDataset(events, entities));
    const service = await start('event-service', databaseUrl);
    const token = await newToken(issuer, ISP_TENANT, 'charges:read');
    const circuits = Array.from({ length: REQUESTS }, (_, index) => `line-${Math.floor((entities * index) / REQUESTS)}`);
    const pages = await walk(service, `${LINES}?_page_size=500`, token, REQUESTS);
    const timed: Timed[] = [
      { title: 'a circuit now', atMostMs: 10, requests: circuits.map((circuit) => ({ path: `${LINES}?option82=${circuit}` })) },
      {
        title: 'a circuit half-way through the events',
        atMostMs: 10,
        requests: circuits.map((circuit) => ({ path: `${LINES}?option82=${circuit}&at=2025-01-01T00:00:00Z` })),
      },
      { title: 'a later page of 500', atMostMs: 100, requests: pages },
    ];
    await report(
      'event-service',
      events,
      timed.map((one) => ({ ...one, title: `Lines of an ISP: ${one.title}` })),
      (request) => send(service, request, token),
    );
  });
}

/** Sends one request at a time. */
async function report(
  service: ServiceName,
  records: number,
  measured: readonly Timed[],
  ask: (request: BenchRequest) => Promise<unknown>,
): Promise<void> {
  const rows: string[][] = [];
  for (const { title, atMostMs, requests } of measured) {
    const times: number[] = [];
    for (let turn = -WARM_UP; turn < REQUESTS; turn++) {
      const began = performance.now();
      await ask(requests.at(turn % requests.length)!);
      if (turn >= 0) times.push(performance.now() - began);
    }
    const [half, most] = [part(times, 0.5), part(times, 0.95)];
    const row = [
      title,
      ...[half, most, Math.max(...times)].map((ms) => `${ms.toPrecision(3)} ms`),
      `p95 at most ${atMostMs} ms`,
      verdict(most <= atMostMs),
    ];
    say(row.join(' | '));
    rows.push(row);
  }
  say(
    [
      `\nTimes of ${service}, ${records.toLocaleString('en-GB')} rows`,
      MACHINE,
      table(['Request', 'p50', 'p95', 'Longest', 'Goal', ''], rows),
    ].join('\n\n'),
  );
}
