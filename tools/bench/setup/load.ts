import { randomUUID } from 'node:crypto';
import autocannon from '../../../extra/autocannon.js';

export interface BenchRequest {
  path: string;
  method?: 'GET' | 'PUT' | 'POST';
  /** JSON text. */
  body?: string;
}

/** A program under load. */
export interface Server {
  readonly url: string;
}

/** Placeholder in a body, replaced by a new UUID in each request. */
export const NEW_ID = '{new id}';
const withNewId = (body: string): string => body.replaceAll(NEW_ID, randomUUID());

/** Sends one request. @throws Error if the response has a different status */
export async function send(
  { url }: Server,
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

/** What two servers are compared with. */
export interface Load {
  connections: number;
  /** Tokens of several clients, because a service lets each client use only a part of its capacity. */
  tokens: readonly string[];
  requests: readonly BenchRequest[];
  status: number;
}

export interface Rounds {
  rounds: number;
  seconds: number;
}

/** Medians over the rounds of the requests per second of both servers, and of the first server's divided by the second's. */
export interface Comparison {
  speeds: readonly [number, number];
  ratio: number;
  /** The lowest and the highest ratio of a round. */
  range: readonly [number, number];
}

/** Puts two servers under load alternately, so that other load on the machine affects both. */
export async function compare(servers: readonly [Server, Server], load: Load, { rounds, seconds }: Rounds): Promise<Comparison> {
  const [first, second]: [number[], number[]] = [[], []];
  for (const server of servers) await putUnderLoad(server, load, Math.min(3, seconds));
  for (let round = 0; round < rounds; round++) {
    first.push(await putUnderLoad(servers[0], load, seconds));
    second.push(await putUnderLoad(servers[1], load, seconds));
  }
  const ratios = first.map((speed, round) => speed / second[round]!);
  return { speeds: [part(first, 0.5), part(second, 0.5)], ratio: part(ratios, 0.5), range: [Math.min(...ratios), Math.max(...ratios)] };
}

/** Sends requests on many connections, each of which repeats a part of them. @returns responses per second */
async function putUnderLoad({ url }: Server, { connections, tokens, requests, status }: Load, seconds: number): Promise<number> {
  const share = Math.ceil(requests.length / connections);
  let client = 0;
  const setupClient = (connection: autocannon.Client): void => {
    const token = tokens[client % tokens.length]!;
    const begin = (client++ * share) % requests.length;
    connection.setRequests(requests.slice(begin, begin + share).map((request) => toSend(request, token)));
  };
  const result = await autocannon({ url, connections, duration: seconds, setupClient });
  const { statusCodeStats = {} } = result;
  const failures = result.non2xx + result.errors + result.timeouts;
  if (failures > 0 || Object.keys(statusCodeStats).join() !== String(status))
    throw new Error(`${url}${requests[0]!.path}: expected status ${status}, got ${JSON.stringify(statusCodeStats)}, ${failures} failures`);
  return result.requests.total / result.duration;
}

function toSend(request: BenchRequest, token: string): autocannon.Request {
  const { body } = request;
  const sent = { ...request, headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) } };
  // This is only set if needed, because it makes autocannon rebuild every request.
  return body?.includes(NEW_ID) ? { ...sent, setupRequest: (next) => ({ ...next, body: withNewId(body) }) } : sent;
}

/** The value that this share of the values do not exceed. */
export const part = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1]!;
