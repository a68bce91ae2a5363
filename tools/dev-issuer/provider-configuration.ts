import { type Configuration, type KoaContextWithOIDC, type errors } from 'oidc-provider';
import { ALL_SCOPES, DEMO_CLIENTS, demoClient } from './demo-clients.js';
import { NoStorage } from './no-storage.js';
import { type SigningKeys } from './signing-keys.js';

/** The audience of every access token. */
export const AUDIENCE = 'open-access-fibre';
const TOKEN_LIFETIME_S = 3600;

/** oidc-provider wants resources as URIs (RFC 8707). A client never has to name this one: it is the default. */
const RESOURCE = `urn:${AUDIENCE}`;

/** oidc-provider reduced to what the services need: JWT access tokens by client credentials. */
export function providerConfiguration(jwks: SigningKeys, { InvalidScope, InvalidTarget }: typeof errors): Configuration {
  return {
    adapter: NoStorage,
    jwks,
    clients: DEMO_CLIENTS.map(({ id, secret, scopes }) => ({
      client_id: id,
      client_secret: secret,
      scope: scopes.join(' '),
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
    })),
    scopes: ALL_SCOPES,
    claims: { sub: null },
    responseTypes: [],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post'],
    clientBasedCORS: (_ctx, origin) => isLoopback(origin),
    extraTokenClaims: (_ctx, token) => ({ tenant: demoClient(token.clientId ?? '').tenant }),
    renderError: (ctx, out) => {
      ctx.body = out;
    },
    ttl: { ClientCredentials: TOKEN_LIFETIME_S },
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => RESOURCE,
        getResourceServerInfo: (ctx, resource) => {
          if (resource !== RESOURCE) throw new InvalidTarget();
          settleScope(ctx, InvalidScope);
          return {
            audience: AUDIENCE,
            scope: ALL_SCOPES.join(' '),
            accessTokenFormat: 'jwt',
            accessTokenTTL: TOKEN_LIFETIME_S,
            jwt: { sign: { alg: 'RS256' } },
          };
        },
      },
    },
  };
}

/**
 * Without `scope` a client gets all of its scopes, and a scope that nobody knows is refused: oidc-provider alone would grant
 * none in the first case and leave it out in the second. It resolves the resource right before it checks the scopes.
 */
function settleScope(ctx: KoaContextWithOIDC, InvalidScope: typeof errors.InvalidScope): void {
  const { params, client } = ctx.oidc;
  if (!params) return;
  params.scope ??= client?.scope;
  const unknown = String(params.scope)
    .split(' ')
    .find((scope) => !ALL_SCOPES.some((known) => known === scope));
  if (unknown !== undefined) throw new InvalidScope('requested scope is not allowed', unknown);
}

/** The docs pages of the services, on whatever port they run. */
function isLoopback(origin: string): boolean {
  return URL.canParse(origin) && ['127.0.0.1', 'localhost'].includes(new URL(origin).hostname);
}
