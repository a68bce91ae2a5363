import * as oauth from 'openid-client';
import { ConnectionError, TokenError } from './errors.js';
import { reason } from './transport.js';

export interface ClientCredentials {
  /** The issuer's address; discovery finds its metadata. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Scopes, separated by spaces; without them the issuer uses its default. */
  scope?: string;
  /** For issuers that require an audience. */
  audience?: string;
  /** For issuers that require a resource (RFC 8707). */
  resource?: string;
}

/** A token is renewed this long before it expires, because it must still be valid when the request arrives. */
const MARGIN_MS = 30_000;
/** How a client can prove who it is, the preferred way first. */
const METHODS = [
  ['client_secret_basic', oauth.ClientSecretBasic()],
  ['client_secret_post', oauth.ClientSecretPost()],
] as const;
const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost'];

/**
 * Gets access tokens with the OAuth 2.0 client credentials grant, one request at a time. A token is reused until shortly before it expires
 * or until the service rejects it. Only use this on a server, because a browser cannot keep a secret.
 */
export function clientCredentials(credentials: ClientCredentials): (refused?: string) => Promise<string> {
  const { issuer, clientId, clientSecret, ...wanted } = credentials;
  const address = new URL(issuer);
  let configuration: oauth.Configuration | undefined;
  let token: { value: string; until: number } | undefined;
  let asking: Promise<string> | undefined;

  const ask = async (): Promise<string> => {
    // Requests without TLS may only be sent to this machine.
    const execute = LOOPBACK.includes(address.hostname) ? [oauth.allowInsecureRequests] : [];
    configuration ??= await oauth.discovery(address, clientId, clientSecret, authenticate, { execute });
    const parameters = Object.entries(wanted).filter(([, value]) => value);
    const { access_token, expires_in = 0 } = await oauth.clientCredentialsGrant(configuration, Object.fromEntries(parameters));
    token = { value: access_token, until: Date.now() + expires_in * 1_000 - MARGIN_MS };
    return access_token;
  };
  return async (refused) => {
    if (token && token.value !== refused && Date.now() < token.until) return token.value;
    asking ??= ask()
      .catch((cause: unknown) => {
        throw failure(issuer, cause);
      })
      .finally(() => (asking = undefined));
    return asking;
  };
}

/** Proves to the issuer who the client is, in a way that the issuer supports; without such a list, it is basic (RFC 8414 section 2). */
const authenticate: oauth.ClientAuth = (server, client, body, headers) => {
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const [, method] = METHODS.find(([name]) => methods.includes(name)) ?? [];
  if (!method) {
    const known = METHODS.map(([name]) => name).join(', ');
    throw new TokenError(`the issuer authenticates clients by ${methods.join(', ') || 'nothing'}; this client knows ${known}`);
  }
  return method(server, client, body, headers);
};

function failure(issuer: string, error: unknown): Error {
  const { code, cause } = error as { code?: string; cause?: unknown };
  const status = cause instanceof Response ? cause.status : 0;
  // fetch fails with a TypeError; openid-client's errors have a code.
  const passes =
    ((error as Error).name === 'TypeError' && code === undefined) || code === 'OAUTH_TIMEOUT' || status === 429 || status >= 500;
  // openid-client wraps what `authenticate` throws.
  const fault = cause instanceof TokenError ? cause : error;
  const why =
    fault instanceof oauth.ResponseBodyError ? (fault.error_description ?? fault.error) : status ? `status ${status}` : reason(fault);
  return new (passes ? ConnectionError : TokenError)(`No access token from ${issuer}: ${why}`, { cause: error });
}
