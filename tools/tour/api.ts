import * as oauth from 'openid-client';
import { type DemoClient } from '../dev-issuer/demo-clients.js';

export interface Answer<T = unknown> {
  method: string;
  url: string;
  status: number;
  headers: Headers;
  /** The parsed JSON, or nothing when the answer had no body. */
  body: T;
}

export interface CallOptions {
  query?: Record<string, string | number>;
  body?: unknown;
  headers?: Record<string, string>;
}

/** An API as one client sees it: an access token by client credentials, then plain requests. */
export class Api {
  private constructor(
    private readonly base: string,
    private readonly configuration: oauth.Configuration,
    private readonly accessToken: string,
  ) {}

  static async connect(base: string, issuer: string, { id, secret }: DemoClient): Promise<Api> {
    try {
      // The issuer and the services of the development stack speak plain HTTP on the loopback interface.
      const options = { execute: [oauth.allowInsecureRequests] };
      const configuration = await oauth.discovery(new URL(issuer), id, secret, undefined, options);
      const { access_token } = await oauth.clientCredentialsGrant(configuration);
      return new Api(base, configuration, access_token);
    } catch (error) {
      throw new Error(`No access token for ${id} from ${issuer}`, { cause: error });
    }
  }

  async call<T>(method: string, pathOrUrl: string, { query = {}, body, headers }: CallOptions = {}): Promise<Answer<T>> {
    const url = new URL(pathOrUrl, this.base);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    const text = body === undefined ? undefined : JSON.stringify(body);
    const allHeaders = new Headers({ accept: 'application/json', ...(text && { 'content-type': 'application/json' }), ...headers });
    // openid-client throws an answer that carries a challenge (401, 403); here it is an answer like any other.
    const response = await oauth
      .fetchProtectedResource(this.configuration, this.accessToken, url, method, text, allHeaders)
      .catch((error: unknown) => {
        if (error instanceof oauth.WWWAuthenticateChallengeError) return error.response;
        throw new Error(`No answer to ${method} ${url.href}`, { cause: error });
      });
    const answer = await response.text();
    return { method, url: url.href, status: response.status, headers: response.headers, body: parse(answer) as T };
  }
}

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}
