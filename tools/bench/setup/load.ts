import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';
import type { Server } from './service.js';

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
  /** Response time in milliseconds. */
  p50: number;
  p99: number;
  megabytesPerSecond: number;
  /** Milliseconds of CPU time that the server process used per request; NaN except on Linux. */
  cpuMs: number;
}

export interface Comparison {
  title: string;
  connections: number;
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
  { title, connections, atLeast }: Pick<Comparison, 'title' | 'connections' | 'atLeast'>,
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
    ...{ title, connections, atLeast, first: medians(first), second: medians(second), ratio: median(ratios) },
    range: [Math.min(...ratios), Math.max(...ratios)],
  };
}

/** Sends requests on many connections, each of which repeats a part of them. */
export async function putUnderLoad(
  { server, tokens, requests, status }: Contestant,
  connections: number,
  seconds: number,
): Promise<Measured> {
  const { url, program } = server;
  const share = Math.ceil(requests.length / connections);
  let client = 0;
  const setupClient = (connection: autocannon.Client): void => {
    const token = tokens[client % tokens.length]!;
    const begin = (client++ * share) % requests.length;
    connection.setRequests(requests.slice(begin, begin + share).map((request) => toSend(request, token)));
  };
  const before = cpuSeconds(program.pid);
  const result = await autocannon({ url, connections, duration: seconds, setupClient });
  const cpuMs = ((cpuSeconds(program.pid) - before) * 1_000) / result.requests.total;
  const { latency, throughput, duration, statusCodeStats = {} } = result;
  const failures = result.non2xx + result.errors + result.timeouts;
  if (failures > 0 || Object.keys(statusCodeStats).join() !== String(status))
    throw new Error(`${url}${requests[0]!.path}: expected status ${status}, got ${JSON.stringify(statusCodeStats)}, ${failures} failures`);
  const perSecond = result.requests.total / duration;
  return { perSecond, p50: latency.p50, p99: latency.p99, megabytesPerSecond: throughput.total / duration / 1e6, cpuMs };
}

/** CPU time of all threads of a process. */
function cpuSeconds(pid: number): number {
  if (process.platform !== 'linux') return NaN;
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The program's name in parentheses may contain spaces. The fields after it include user and system time, in hundredths of a second.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

function medians(rounds: readonly Measured[]): Measured {
  const of = (key: keyof Measured): number => median(rounds.map((round) => round[key]));
  return { perSecond: of('perSecond'), p50: of('p50'), p99: of('p99'), megabytesPerSecond: of('megabytesPerSecond'), cpuMs: of('cpuMs') };
}

function toSend(request: BenchRequest, token: string): autocannon.Request {
  const { body } = request;
  const sent = { ...request, headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) } };
  // This is only set if needed, because it makes autocannon rebuild every request.
  return body?.includes(NEW_ID) ? { ...sent, setupRequest: (next) => ({ ...next, body: withNewId(body) }) } : sent;
}
