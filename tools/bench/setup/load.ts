import { randomUUID } from 'node:crypto';
import autocannon from 'autocannon';
import type { Server } from './service.js';
import { part } from './timing.js';

export interface BenchRequest {
  path: string;
  method?: 'GET' | 'PUT' | 'POST';
  /** JSON text. */
  body?: string;
}

/** Placeholder in a body, replaced by a new UUID in each request. */
export const NEW_ID = '{new id}';
const withNewId = (body: string): string => body.replaceAll(NEW_ID, randomUUID());

/** Sends one request. @throws Error if the response has a different status */
export async function send(
  { url }: Pick<Server, 'url'>,
  { path, method, body }: BenchRequest,
  token: string,
  status = 200,
): Promise<{ body: string; headers: Headers }> {
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) };
  const response = await fetch(url + path, { method, body: body && withNewId(body), headers });
  const text = await response.text();
  if (response.status !== status) throw new Error(`${path}: expected status ${status}, got ${response.status}: ${text.slice(0, 1_000)}`);
  return { body: text, headers: response.headers };
}

/** Requests to one server, which must all get the same status. */
export interface Contestant {
  server: Server;
  /** Tokens of several clients, because a service lets each client use only a part of its capacity. */
  tokens: string[];
  requests: BenchRequest[];
  status: number;
}

/** Results of one round, or the medians of several rounds. */
export interface Measured {
  perSecond: number;
  megabytesPerSecond: number;
}

export interface Comparison {
  title: string;
  first: Measured;
  second: Measured;
  /** Median over the rounds of the first server's throughput divided by the second's; `range` has the minimum and maximum. */
  ratio: number;
  range: [number, number];
  atLeast: number;
}

export interface Rounds {
  rounds: number;
  seconds: number;
}

/** Puts two servers under load alternately, so that other load on the machine affects both. */
export async function compare(
  { title, connections, atLeast }: { title: string; connections: number; atLeast: number },
  sides: readonly [Contestant, Contestant],
  { rounds, seconds }: Rounds,
): Promise<Comparison> {
  const [first, second]: [Measured[], Measured[]] = [[], []];
  for (const side of sides) await putUnderLoad(side, connections, Math.min(3, seconds));
  for (let round = 0; round < rounds; round++) {
    first.push(await putUnderLoad(sides[0], connections, seconds));
    second.push(await putUnderLoad(sides[1], connections, seconds));
  }
  const ratios = first.map(({ perSecond }, round) => perSecond / second[round]!.perSecond);
  return {
    ...{ title, atLeast, first: medians(first), second: medians(second), ratio: part(ratios, 0.5) },
    range: [Math.min(...ratios), Math.max(...ratios)],
  };
}

/** Sends requests on many connections, each of which repeats a part of them. */
async function putUnderLoad(
  { server: { url }, tokens, requests, status }: Contestant,
  connections: number,
  seconds: number,
): Promise<Measured> {
  const share = Math.ceil(requests.length / connections);
  let client = 0;
  const setupClient = (connection: autocannon.Client): void => {
    const token = tokens[client % tokens.length]!;
    const begin = (client++ * share) % requests.length;
    connection.setRequests(requests.slice(begin, begin + share).map((request) => toSend(request, token)));
  };
  const result = await autocannon({ url, connections, duration: seconds, setupClient });
  const { throughput, duration, statusCodeStats = {} } = result;
  const failures = result.non2xx + result.errors + result.timeouts;
  if (failures > 0 || Object.keys(statusCodeStats).join() !== String(status))
    throw new Error(`${url}${requests[0]!.path}: expected status ${status}, got ${JSON.stringify(statusCodeStats)}, ${failures} failures`);
  return { perSecond: result.requests.total / duration, megabytesPerSecond: throughput.total / duration / 1e6 };
}

function medians(rounds: readonly Measured[]): Measured {
  const of = (key: keyof Measured): number =>
    part(
      rounds.map((round) => round[key]),
      0.5,
    );
  return { perSecond: of('perSecond'), megabytesPerSecond: of('megabytesPerSecond') };
}

function toSend(request: BenchRequest, token: string): autocannon.Request {
  const { body } = request;
  const sent = { ...request, headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) } };
  // This is only set if needed, because it makes autocannon rebuild every request.
  return body?.includes(NEW_ID) ? { ...sent, setupRequest: (next) => ({ ...next, body: withNewId(body) }) } : sent;
}
