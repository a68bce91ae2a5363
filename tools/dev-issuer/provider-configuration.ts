import { randomBytes } from 'node:crypto';
import { type Configuration, type Grant, type KoaContextWithOIDC, type Provider, type errors } from 'oidc-provider';
import { ALL_SCOPES, DEMO_CLIENTS, demoClient, demoPerson } from './demo-accounts.js';
import { SIGN_IN_PATH } from './sign-in-page.js';
import { type SigningKeys } from './signing-keys.js';

/** The audience of every access token. */
export const AUDIENCE = 'open-access-fibre';
const TOKEN_LIFETIME_S = 3600;
/** How long a person stays signed in without activity. */
const SESSION_S = 12 * 3600;
/** The public client of the portal. */
const PORTAL = 'portal';

/** oidc-provider requires resources to be URIs (RFC 8707). Clients never need to name this one, because it is the default. */
const RESOURCE = `urn:${AUDIENCE}`;
/** Scopes about the person, not about permissions. */
const OF_THE_PERSON = ['openid', 'profile', 'email'];

/** Configures what the services and the portal need: JWT access tokens for clients, and for people who sign in (PKCE). */
export function providerConfiguration(jwks: SigningKeys, { InvalidScope, InvalidTarget }: typeof errors): Configuration {
  return {
    jwks,
    clients: [
      ...DEMO_CLIENTS.map(({ id, secret, scopes }) => ({
        client_id: id,
        client_secret: secret,
        scope: scopes.join(' '),
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
      })),
      {
        client_id: PORTAL,
        token_endpoint_auth_method: 'none',
        scope: [...OF_THE_PERSON, ...ALL_SCOPES].join(' '),
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        // In addition to the URIs that `acceptPortals` accepts.
        redirect_uris: ['http://127.0.0.1:3001/v2/cov/portal/signed-in'],
      },
    ],
    scopes: [...OF_THE_PERSON, ...ALL_SCOPES],
    claims: { openid: ['sub'], profile: ['name', 'tenant'], email: ['email'] },
    // ID tokens contain these claims, because there is no userinfo endpoint.
    conformIdTokenClaims: false,
    findAccount: (_ctx, sub) => {
      const person = demoPerson(sub);
      return person && { accountId: sub, claims: () => ({ sub, name: person.name, email: person.email, tenant: person.tenant }) };
    },
    interactions: { url: (_ctx, { uid }) => `${SIGN_IN_PATH}${uid}` },
    cookies: { keys: [randomBytes(32).toString('base64')] },
    // The portal is ours, so nobody needs to consent.
    loadExistingGrant: grantWhatIsTheirs,
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    responseTypes: ['code'],
    pkce: { required: () => true },
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    clientBasedCORS: (_ctx, origin) => isLoopback(origin),
    extraTokenClaims: (_ctx, token) =>
      'accountId' in token
        ? { tenant: demoPerson(token.accountId)?.tenant, preferred_username: token.accountId }
        : { tenant: demoClient(token.clientId ?? '').tenant },
    renderError: (ctx, out) => {
      ctx.body = out;
    },
    ttl: {
      ClientCredentials: TOKEN_LIFETIME_S,
      AccessToken: TOKEN_LIFETIME_S,
      Session: SESSION_S,
      Grant: SESSION_S,
      RefreshToken: SESSION_S,
      Interaction: TOKEN_LIFETIME_S,
      IdToken: TOKEN_LIFETIME_S,
    },
    features: {
      clientCredentials: { enabled: true },
      revocation: { enabled: true },
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: true, logoutSource: signOutAtOnce },
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
 * Without `scope`, a client gets all of its scopes, and unknown scopes are rejected; oidc-provider alone would grant no scopes and ignore
 * unknown ones. oidc-provider calls this function when it resolves the resource, right before it checks the scopes.
 */
function settleScope(ctx: KoaContextWithOIDC, InvalidScope: typeof errors.InvalidScope): void {
  const { params, client } = ctx.oidc;
  if (params?.grant_type !== 'client_credentials') return;
  params.scope ??= client?.scope;
  const wanted = String(params.scope).split(' ');
  const unknown = wanted.find((scope) => !ALL_SCOPES.some((known) => known === scope));
  if (unknown !== undefined) throw new InvalidScope('requested scope is not allowed', unknown);
}

/** Whether an origin is on this machine: the docs pages of the services may be on any port. */
function isLoopback(origin: string): boolean {
  return URL.canParse(origin) && ['127.0.0.1', 'localhost'].includes(new URL(origin).hostname);
}

/** Grants a person's scopes to the portal, and rejects all other scopes permanently. */
async function grantWhatIsTheirs(ctx: KoaContextWithOIDC): Promise<Grant | undefined> {
  const { session, client, provider } = ctx.oidc;
  const accountId = session?.accountId;
  if (!client || accountId === undefined) return undefined;
  const theirs = demoPerson(accountId)?.scopes ?? [];
  const grant = new provider.Grant({ accountId, clientId: client.clientId });
  const others = ALL_SCOPES.filter((scope) => !theirs.includes(scope));
  grant.addOIDCScope(OF_THE_PERSON.join(' '));
  grant.rejectOIDCScope(ALL_SCOPES.join(' '));
  grant.addResourceScope(RESOURCE, theirs.join(' '));
  grant.rejectResourceScope(RESOURCE, others.join(' '));
  await grant.save();
  return grant;
}

/** Signs out without asking, because the person has already confirmed this in the portal. */
function signOutAtOnce(ctx: KoaContextWithOIDC, form: string): void {
  const submit = `<script>document.forms[0].submit()</script>`;
  ctx.body = `<!doctype html><title>Sign out</title>${form.replace('</form>', '<input type="hidden" name="logout" value="yes"></form>')}${submit}`;
}

/** Allows the portal of any development server on this machine, on any port. */
export function acceptPortals(provider: Provider): void {
  const isPortal = (uri: string): boolean => isLoopback(uri) && /^\/v2\/cov\/portal\/[\w-]+$/.test(new URL(uri).pathname);
  Object.assign(provider.Client.prototype as object, { redirectUriAllowed: isPortal, postLogoutRedirectUriAllowed: isPortal });
}
