import assert from 'node:assert/strict';
import { clientCredentials, FibreClient, type Problem } from '@fibre/client';
import { decodeJwt } from 'jose';
import { curlCommand, tokenCommand } from '../curl.js';
import { type DemoClient } from '../dev-issuer/demo-accounts.js';
import { columns, paint } from '../terminal.js';

export interface CallOptions {
  query?: Record<string, string | number>;
  headers?: Record<string, string>;
  body?: object;
  /** The expected status; any other status ends the tour. */
  expect?: number;
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
  static async connect(issuer: string, client: DemoClient, variable = 'TOKEN'): Promise<Client> {
    show(tokenCommand(issuer, client, variable));
    const token = clientCredentials({ issuer, clientId: client.id, clientSecret: client.secret });
    say(`a token for ${client.id}, valid for an hour, with ${decodeJwt<{ scope: string }>(await token()).scope}`);
    return new Client(token, variable);
  }

  /** The same client, for the API at this URL. */
  at(api: string): Client {
    return new Client(this.token, this.variable, api);
  }

  /** Sends a request and prints it as a shell command, with the status and error of its response. @returns its headers and parsed body */
  async call<T>(method: string, path: string, options: CallOptions = {}): Promise<{ headers: Headers; body: T }> {
    const { query = {}, headers, body, expect = 200 } = options;
    const target = new URL(path, this.api);
    for (const [name, value] of Object.entries(query)) target.searchParams.set(name, String(value));
    // Commas and colons remain readable.
    const url = target.href.replaceAll('%2C', ',').replaceAll('%3A', ':');
    show(curlCommand(method, url, { headers, body, token: this.variable }));
    const response = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${await this.token()}`, ...(body && { 'content-type': 'application/json' }), ...headers },
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    assert.equal(response.status, expect, `${method} ${url} returned ${response.status} instead of ${expect}: ${text}`);
    const answer = text && (JSON.parse(text) as unknown);
    const etag = response.headers.get('etag');
    say(`${response.status}${etag === null ? '' : `, etag ${etag}`}`);
    if (response.status >= 400) sayProblem(answer as Problem);
    return { headers: response.headers, body: answer as T };
  }

  /** A record that all tours use; an earlier run may already have created it. */
  async keep<T>(path: string, record: { name: string }): Promise<T> {
    const [known] = (await this.call<T[]>('GET', path, { query: { name: record.name } })).body;
    if (!known) return this.show<T>('POST', path, { body: record, expect: 201 });
    say('it already exists from an earlier tour');
    say(JSON.stringify(known));
    return known;
  }

  /** Sends a request and also prints the body of its response. */
  async show<T>(method: string, path: string, options?: CallOptions): Promise<T> {
    const { body } = await this.call<T>(method, path, options);
    say(JSON.stringify(body));
    return body;
  }
}

export function part(title: string, about: string): void {
  console.log(`\n${paint(['bold', 'underline'], title)}\n${about}`);
}

export function step(title: string): void {
  console.log(`\n${paint('bold', title)}`);
}

export function say(text: string): void {
  console.log(`  ${text}`);
}

/** A table whose first row is the heading. */
export function sayTable(rows: readonly (readonly string[])[]): void {
  const [heading = '', ...lines] = columns(rows, '    ').split('\n');
  console.log([paint('dim', heading), ...lines].join('\n'));
}

function show(command: string): void {
  say(paint('cyan', command));
}

function sayProblem({ code, detail, hint, errors = [], conflicts_with = [] }: Problem): void {
  say(`${code}: ${detail}`);
  // A single error is already part of the detail.
  if (errors.length > 1) for (const { parameter, pointer, detail } of errors) say(`  ${parameter ?? pointer}: ${detail}`);
  if (hint) say(`  hint: ${hint}`);
  for (const other of [conflicts_with as object].flat()) say(`  conflicts with ${JSON.stringify(other)}`);
}
