import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Token } from '../issuer.js';
import type { Side } from '../rounds.js';
import type { BenchRequest } from '../scenario.js';
import type { Contest, Contestant } from './contest.js';
import { TENANT } from './load-events.js';
import { activationOf, EVENTS, NEW_ENTITY, PAGE_SIZE, walk } from './requests.js';

/** What is under load: a service on each database, and beside the one on the large database the bare handler. */
export interface Sides {
  small: Side;
  large: Side;
  bare: Side;
}

/** How many events the two databases have. */
export interface Sizes {
  small: number;
  large: number;
}

const [PUT_CONNECTIONS, PAGE_CONNECTIONS] = [16, 8];
/** Events that are recorded before, to be repeated. */
const REPEATS = 2_000;
/** Requests whose two answers are compared. */
const COMPARED = 25;

export async function contests({ small, large, bare }: Sides, sizes: Sizes, token: Token): Promise<Contest[]> {
  const [reader, writer] = [await token(TENANT, 'events:read'), await token(TENANT, 'events:write')];
  const [pages, smallLatest, largeLatest] = [
    await walk(large.url, reader, EVENTS),
    await walk(small.url, reader, `${EVENTS}/latest`),
    await walk(large.url, reader, `${EVENTS}/latest`),
  ];
  for (const { path } of pages.slice(0, COMPARED)) same(path, await get(large, path, reader), await get(bare, path, reader));
  for (let i = 0; i < COMPARED; i++) await compareRecording(large, bare, writer);
  const repeats = Array.from({ length: REPEATS }, () => activationOf(randomUUID()));
  // All of it on the small table too, so that the two services have the same past and are as warm.
  await walk(small.url, reader, EVENTS);
  for (const side of [small, large]) for (const request of repeats) await put(side, request, writer);

  const service = 'Service';
  const of = (events: number): string => `Table of ${events.toLocaleString('en-GB')} events`;
  const read = (title: string, side: Side, requests: BenchRequest[]): Contestant => ({ title, side, requests, status: 200 });
  const record = (title: string, side: Side): Contestant => ({ title, side, requests: [activationOf(NEW_ENTITY)], status: 201 });
  const [paging, recording] = [
    { token: reader, connections: PAGE_CONNECTIONS },
    { token: writer, connections: PUT_CONNECTIONS },
  ];
  return [
    {
      ...{ name: 'latest-growth', title: `Time of a page of ${PAGE_SIZE} of \`latest\``, ...paging, goal: { atMost: 1.2 } },
      ...{ first: read(of(sizes.small), small, smallLatest), second: read(of(sizes.large), large, largeLatest) },
    },
    {
      ...{ name: 'put-growth', title: 'Time of a PUT of a new activation', ...recording, goal: { atMost: 1.2 } },
      ...{ first: record(of(sizes.small), small), second: record(of(sizes.large), large) },
    },
    {
      ...{ name: 'list-page', title: `List, page of ${PAGE_SIZE} in mid-walk`, ...paging, goal: { atLeast: 0.9 } },
      ...{ first: read(service, large, pages), second: read('Bare handler', bare, pages) },
    },
    {
      ...{ name: 'put-new', title: 'PUT of a new activation', ...recording, goal: { atLeast: 0.7 } },
      ...{ first: record(service, large), second: record('Bare handler', bare) },
    },
    {
      ...{ name: 'put-repeat', title: 'PUT, repeated or new', ...recording, goal: { atLeast: 1 } },
      ...{ first: { title: 'Identical repeat', side: large, requests: repeats, status: 200 }, second: record('New activation', large) },
    },
  ];
}

/** Speed means nothing where the two sides do not do the same: each repeats what the other has recorded. */
async function compareRecording(service: Side, bare: Side, token: string): Promise<void> {
  for (const [recorder, repeater] of [[service, bare], [bare, service]] as const) {
    const request = activationOf(randomUUID());
    same(`PUT ${request.path}`, await put(recorder, request, token), await put(repeater, request, token, 200));
  }
}

async function put({ url }: Side, { path, method, body }: BenchRequest, token: string, status = 201): Promise<string> {
  const response = await fetch(url + path, { method, body, headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' } });
  const text = await response.text();
  if (response.status !== status) throw new Error(`${path} had to answer ${status}, not ${response.status}: ${text}`);
  return text;
}

const get = async ({ url }: Side, path: string, token: string): Promise<string> =>
  (await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })).text();

function same(path: string, ours: string, theirs: string): void {
  if (!isDeepStrictEqual(JSON.parse(ours), JSON.parse(theirs))) throw new Error(`the two sides answer ${path} differently`);
}
