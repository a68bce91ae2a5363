import assert from 'node:assert/strict';
import { clientCredentials, FibreClient } from '@fibre/client';
import { decodeJwt } from 'jose';
import { curlCommand, tokenCommand } from '../curl.js';
import { type DemoClient } from '../dev-issuer/demo-accounts.js';
import { columns, paint } from '../terminal.js';

export interface Answer<T> {
  status: number;
  headers: Headers;
  /** The parsed JSON, or undefined if the response had no body. */
  body: T;
}

export interface CallOptions {
  query?: Record<string, string | number>;
  headers?: Record<string, string>;
  body?: object;
  /** The expected status; any other status ends the tour. */
  expect?: number;
}

/** The parts of an RFC 9457 problem that the tour prints. */
export interface Problem {
  code: string;
  detail: string;
  hint?: string;
  errors?: { parameter?: string; pointer?: string; detail: string }[];
  conflicts_with?: object | object[];
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

  /** Sends a request and prints it as a shell command, with the status and error of its response. */
  async call<T>(method: string, path: string, options: CallOptions = {}): Promise<Answer<T>> {
    const { headers, body } = options;
    show(curlCommand(method, this.url(path, options), { headers, body, token: this.variable }));
    const answer = await this.send<T>(method, path, options);
    say(`${answer.status}${answer.headers.has('etag') ? `, etag ${answer.headers.get('etag')}` : ''}`);
    if (answer.status >= 400) sayProblem(answer.body as Problem);
    return answer;
  }

  private async send<T>(method: string, path: string, options: CallOptions): Promise<Answer<T>> {
    const { headers, body, expect = 200 } = options;
    const url = this.url(path, options);
    const response = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${await this.token()}`, ...(body && { 'content-type': 'application/json' }), ...headers },
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    assert.equal(response.status, expect, `${method} ${url} returned ${response.status} instead of ${expect}: ${text}`);
    return { status: response.status, headers: response.headers, body: (text === '' ? undefined : JSON.parse(text)) as T };
  }

  /** Builds a URL in which commas and colons remain readable. */
  private url(path: string, { query = {} }: CallOptions): string {
    const url = new URL(path, this.api);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    return url.href.replaceAll('%2C', ',').replaceAll('%3A', ':');
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
  for (const other of [conflicts_with].flat()) say(`  conflicts with ${JSON.stringify(other)}`);
}
