import { startTestIssuer, TEST_AUDIENCE, type TestIssuer } from '@fibre/testing';
import { READ, refused, startForTokens } from './tokens.js';

/** Has the same key as every issuer of the tests. */
let keys: TestIssuer;
beforeAll(async () => (keys = await startTestIssuer()));
afterAll(() => keys.close());

interface Shape {
  readonly settings?: Record<string, string>;
  readonly claims: Record<string, unknown>;
  /** The same token without a scope, or with several tenants. */
  readonly forbidden: Record<string, unknown>[];
  /** The same token for others. */
  readonly foreign?: Record<string, unknown>[];
}
const ZITADEL_ROLES = 'urn:zitadel:iam:org:project:roles';
const ZITADEL_TENANT = 'urn:zitadel:iam:user:resourceowner:id';
const ADFS = 'http://sts.example.net/adfs/services/trust';
const SHAPES: Record<string, Shape> = {
  'Entra ID': {
    settings: { OAUTH_SCOPE_CLAIMS: 'scp roles', OAUTH_TENANT_CLAIM: 'tid' },
    claims: { roles: [READ], tid: '72f988bf-86f1-41af-91ab-2d7cd011db47' },
    forbidden: [{ roles: [] }, { tid: ['a', 'b'] }],
  },
  Auth0: {
    settings: { OAUTH_SCOPE_CLAIMS: 'permissions', OAUTH_TENANT_CLAIM: 'https://fibre.example/tenant' },
    claims: { permissions: [READ], 'https://fibre.example/tenant': 'ano.test' },
    forbidden: [{ permissions: [] }, { 'https://fibre.example/tenant': undefined }],
  },
  Okta: { claims: { scp: [READ], tenant: 'ano.test' }, forbidden: [{ scp: [] }] },
  'Keycloak with a multivalued attribute': {
    claims: { scope: READ, tenant: ['ano.test'] },
    forbidden: [{ scope: '' }, { tenant: ['ano.test', 'ano.other'] }],
  },
  'Keycloak with roles and organizations': {
    settings: { OAUTH_SCOPE_CLAIMS: 'realm_access.roles resource_access.fibre.api.roles', OAUTH_TENANT_CLAIM: 'organization' },
    claims: {
      realm_access: { roles: ['offline_access'] },
      resource_access: { 'fibre.api': { roles: [READ] } },
      organization: { 'ano-1': { id: 'x' } },
    },
    forbidden: [
      { resource_access: { 'fibre.api': { roles: [] } } },
      { resource_access: { fibre: { roles: [READ] } } },
      { organization: { 'ano-1': {}, 'ano-2': {} } },
    ],
  },
  Zitadel: {
    settings: { OAUTH_SCOPE_CLAIMS: ZITADEL_ROLES, OAUTH_TENANT_CLAIM: ZITADEL_TENANT },
    claims: { [ZITADEL_ROLES]: { [READ]: { '280823': 'fibre.zitadel.example' } }, [ZITADEL_TENANT]: '280823' },
    forbidden: [{ [ZITADEL_ROLES]: {} }, { [ZITADEL_ROLES]: { [READ]: false } }],
  },
  ADFS: {
    settings: { OAUTH_ISSUER: ADFS, OAUTH_AUDIENCE: 'microsoft:identityserver:fibre' },
    claims: { iss: ADFS, aud: 'microsoft:identityserver:fibre', scp: READ, tenant: 'ano.test' },
    forbidden: [{ scp: 'openid' }],
    foreign: [{ iss: 'https://sts.example.net/adfs/services/trust' }],
  },
  'Google, with the claims of a broker': {
    settings: { OAUTH_ISSUER: 'accounts.google.com', OAUTH_SCOPE_CLAIMS: 'roles', OAUTH_TENANT_CLAIM: 'hd' },
    claims: { iss: 'accounts.google.com', roles: [READ], hd: 'ano.example' },
    forbidden: [{ roles: null }],
    foreign: [{ iss: 'accounts.google.com.example' }],
  },
  Cognito: {
    settings: {
      OAUTH_AUDIENCE_CLAIM: 'client_id',
      OAUTH_AUDIENCE: '1example23456789 2example23456789',
      OAUTH_SCOPE_NAMES: `${READ}=fibre/${READ}`,
    },
    claims: { aud: undefined, client_id: '2example23456789', token_use: 'access', scope: `fibre/${READ}`, tenant: 'ano.test' },
    forbidden: [{ scope: READ }],
    // An ID token has `aud` in place of `client_id`.
    foreign: [{ client_id: '3example23456789' }, { client_id: undefined, aud: '2example23456789', token_use: 'id' }],
  },
};

test.each(Object.entries(SHAPES))(
  'tokens of %s are understood, with its settings',
  async (_issuer, { settings = {}, claims, forbidden, foreign = [] }) => {
    const { service, token, accepts } = await startForTokens({ ...settings, OAUTH_JWKS_URI: `${keys.url}/jwks` });
    const statusOf = async (changed: Record<string, unknown>): Promise<number> =>
      accepts(
        await token({ scope: '', tenant: null, claims: { iss: settings['OAUTH_ISSUER'] ?? service.issuer.url, ...claims, ...changed } }),
      );
    try {
      expect(await statusOf({})).toBe(200);
      for (const changed of forbidden) expect([changed, await statusOf(changed)]).toEqual([changed, 403]);
      for (const changed of foreign) expect([changed, await statusOf(changed)]).toEqual([changed, 401]);
    } finally {
      await service.close();
    }
  },
);

test('a token may be for any of the accepted audiences, and for no other', async () => {
  const { service, token, accepts, answerTo } = await startForTokens({ OAUTH_AUDIENCE: `first ${TEST_AUDIENCE}` });
  for (const aud of ['first', ['other', TEST_AUDIENCE]]) expect(await accepts(await token({ claims: { aud } }))).toBe(200);
  expect(await answerTo(`Bearer ${await token({ claims: { aud: `first ${TEST_AUDIENCE}` } })}`)).toEqual(
    refused('The access token is for another service.', "Request a token with this service's audience from the issuer."),
  );
  await service.close();
});
