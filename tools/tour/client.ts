import assert from 'node:assert/strict';
import { styleText } from 'node:util';
import { clientCredentials, FibreClient, type Problem } from '@fibre/client';
import { decodeJwt } from 'jose';
import { columns } from '../columns.js';

export interface CallOptions {
  query?: Record<string, string | number>;
  headers?: Record<string, string>;
  body?: object;
  /** The expected status; any other status ends the tour. */
  expect?: number;
}

export interface TourClient {
  id: string;
  secret: string;
  /** The secret in printed commands. */
  shown: string;
}

/** One of the demo clients, with its access token. */
export class Client {
  /** Sends requests without printing them. */
  readonly quietly: FibreClient;

  private constructor(
    private readonly token: () => Promise<string>,
    private readonly variable: string,
    private readonly api = '',
  ) {
    this.quietly = new FibreClient({ coverageUrl: api, eventsUrl: api, token });
  }

  /** Gets a token and shows how. Later requests use the token through a shell variable. */
  static async connect(issuer: string, { id, secret, shown }: TourClient, variable: string): Promise<Client> {
    const request = `curl -sS -u ${id}:${shown} -d grant_type=client_credentials ${issuer}/token`;
    show(`${variable}=$(${request} | node -p 'JSON.parse(require("fs").readFileSync(0)).access_token')`);
    const token = clientCredentials({ issuer, clientId: id, clientSecret: secret });
    say(`a token for ${id}, valid for an hour, with ${decodeJwt<{ scope: string }>(await token()).scope}`);
    return new Client(token, variable);
  }

  /** The same client, for the API at this URL. */
  at(api: string): Client {
    return new Client(this.token, this.variable, api);
  }

  /** Sends a request and prints it as a shell command, with its response if that has a single record. @returns its headers and parsed body */
  async call<T>(method: string, path: string, options: CallOptions = {}): Promise<{ headers: Headers; body: T }> {
    const { query = {}, headers = {}, body, expect = 200 } = options;
    const target = new URL(path, this.api);
    for (const [name, value] of Object.entries(query)) target.searchParams.set(name, String(value));
    // Commas and colons remain readable.
    const url = target.href.replaceAll('%2C', ',').replaceAll('%3A', ':');
    const sent = { ...headers, ...(body && { 'content-type': 'application/json' }) };
    const text = body && JSON.stringify(body);
    show(
      [
        // Otherwise the responses to several pasted commands would share one line.
        String.raw`curl -sS -w '\n'`,
        ...(method === 'GET' ? [] : [`-X ${method}`]),
        `-H "Authorization: Bearer $${this.variable}"`,
        ...Object.entries(sent).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
        ...(text ? [`-d ${quoted(text)}`] : []),
        quoted(url),
      ].join(' '),
    );
    const response = await fetch(url, { method, headers: { authorization: `Bearer ${await this.token()}`, ...sent }, body: text });
    const received = await response.text();
    assert.equal(response.status, expect, `${method} ${url} returned ${response.status} instead of ${expect}: ${received}`);
    const answer = (received && JSON.parse(received)) as T & Partial<Problem>;
    say(`${response.status} ${answer.code ? `${answer.code}: ${answer.detail}` : Array.isArray(answer) ? '' : received}`);
    return { headers: response.headers, body: answer };
  }

  /** A record that all tours use; an earlier run may already have created it. */
  async keep<T>(path: string, record: { name: string }): Promise<T> {
    const [known] = (await this.call<T[]>('GET', path, { query: { name: record.name } })).body;
    return known ?? (await this.call<T>('POST', path, { body: record, expect: 201 })).body;
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

export function part(title: string, about: string): void {
  console.log(`\n${styleText('bold', title)}\n${about}`);
}

export function step(title: string): void {
  console.log(`\n${styleText('bold', title)}`);
}

export function say(text: string): void {
  console.log(`  ${text}`);
}

/** A table whose first row is the heading. */
export function sayTable(rows: readonly (readonly string[])[]): void {
  console.log(columns(rows, '    '));
}

function show(command: string): void {
  say(styleText('cyan', command));
}
