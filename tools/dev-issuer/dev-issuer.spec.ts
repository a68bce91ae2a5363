import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, FROM_SOURCES, Program } from '@fibre/testing';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { ALL_SCOPES, OPERATOR_SCOPES } from './demo-accounts.js';
import { type DevIssuer, startDevIssuer } from './dev-issuer.js';

const HOST = '127.0.0.1';
const DOCS_ORIGIN = 'http://127.0.0.1:3001';

let dataDir: string;
let issuer: DevIssuer;

beforeAll(async () => {
  dataDir = join(await mkdtemp(join(tmpdir(), 'dev-issuer-')), 'issuer');
  issuer = await startDevIssuer({ host: HOST, port: 0, dataDir });
});

afterAll(async () => {
  await issuer.close();
  await rm(join(dataDir, '..'), { recursive: true });
});

interface TokenResponse {
  access_token: string;
  token_type: string;
  expires_in: number;
  scope: string;
  error: string;
}

function basic(id: string, secret = `${id}-secret`): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
}

function post(parameters: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${issuer.url}/token`, { method: 'POST', body: new URLSearchParams(parameters), headers });
}

async function token(parameters: Record<string, string>, headers: Record<string, string> = {}): Promise<TokenResponse> {
  const response = await post({ grant_type: 'client_credentials', ...parameters }, headers);
  return (await response.json()) as TokenResponse;
}

function verify(accessToken: string) {
  const keys = createRemoteJWKSet(new URL(`${issuer.url}/jwks`));
  return jwtVerify(accessToken, keys, { issuer: issuer.url, audience: 'open-access-fibre', algorithms: ['RS256'] });
}

describe('an access token', () => {
  it('can be verified with the published keys and contains tenant, client and every scope of the client', async () => {
    const answer = await token({}, basic('ano-demo'));
    const { payload } = await verify(answer.access_token);

    expect(answer).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
    expect(payload).toMatchObject({ tenant: 'ano.demo', client_id: 'ano-demo', scope: OPERATOR_SCOPES.join(' ') });
    expect(payload.exp).toBe((payload.iat ?? 0) + 3600);
  });

  it('is also issued if the client secret is in the body', async () => {
    const { access_token } = await token({ client_id: 'isp-demo', client_secret: 'isp-demo-secret' });
    const { payload } = await verify(access_token);

    expect(payload).toMatchObject({ tenant: 'isp.demo', scope: 'coverage:search charges:read' });
  });

  it('contains only the requested scopes', async () => {
    const { access_token } = await token({ scope: 'events:read coverage:read' }, basic('ano-other'));
    const { payload } = await verify(access_token);

    expect(payload).toMatchObject({ tenant: 'ano.other', scope: 'events:read coverage:read' });
  });

  it('stays valid after a restart of the issuer, whose keys only their owner may read', async () => {
    const { access_token } = await token({}, basic('ano-demo'));
    const port = Number(new URL(issuer.url).port);
    await issuer.close();
    issuer = await startDevIssuer({ host: HOST, port, dataDir });

    await expect(verify(access_token)).resolves.toBeDefined();
    expect((await stat(join(dataDir, 'signing-keys.json'))).mode & 0o777).toBe(0o600);
  });
});

describe('a token request is rejected as RFC 6749 requires', () => {
  it.each([
    ['a scope of another client', { scope: 'coverage:read' }, basic('isp-demo'), 400, 'invalid_scope'],
    ['an unknown scope', { scope: 'coverage:search coverage:admin' }, basic('ano-demo'), 400, 'invalid_scope'],
    ['a wrong secret', {}, basic('ano-demo', 'wrong'), 401, 'invalid_client'],
    ['an unknown client', {}, basic('nobody'), 401, 'invalid_client'],
    ['no client', {}, {}, 400, 'invalid_request'],
    ['another grant', { grant_type: 'password' }, basic('ano-demo'), 400, 'unsupported_grant_type'],
    ['another audience', { resource: 'urn:elsewhere' }, basic('ano-demo'), 400, 'invalid_target'],
    ['a body of another type', {}, { ...basic('ano-demo'), 'content-type': 'application/json' }, 400, 'invalid_request'],
  ])('%s', async (_case, parameters, headers, status, error) => {
    const response = await post({ grant_type: 'client_credentials', ...parameters }, headers);

    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error });
  });
});

describe('the docs pages in a browser', () => {
  it('may send a preflight before they send credentials', async () => {
    const headers = { origin: DOCS_ORIGIN, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' };
    const response = await fetch(`${issuer.url}/token`, { method: 'OPTIONS', headers });

    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe(DOCS_ORIGIN);
    expect(response.headers.get('access-control-allow-headers')).toBe('authorization');
  });

  it('get a token, but pages from other origins do not', async () => {
    const parameters = { grant_type: 'client_credentials' };
    const ours = await post(parameters, { ...basic('ano-demo'), origin: DOCS_ORIGIN });
    const others = await post(parameters, { ...basic('ano-demo'), origin: 'https://elsewhere.example' });

    expect([ours.status, ours.headers.get('access-control-allow-origin')]).toEqual([200, DOCS_ORIGIN]);
    expect([others.status, others.headers.get('access-control-allow-origin')]).toEqual([400, null]);
  });
});

/** A minimal browser for signing in: it keeps cookies and follows redirects within the issuer. */
class Visitor {
  private readonly cookies = new Map<string, string>();

  async go(url: string, form?: Record<string, string>): Promise<{ url: string; response: Response }> {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...this.cookies].map((cookie) => cookie.join('=')).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const [, name, value] of response.headers.getSetCookie().map((text) => /^([^=]+)=([^;]*)/.exec(text)!)) {
      if (value === '') this.cookies.delete(name!);
      else this.cookies.set(name!, value!);
    }
    const next = response.headers.get('location');
    if (next === null) return { url, response };
    const target = new URL(next, issuer.url).href;
    return target.startsWith(issuer.url) ? this.go(target) : { url: target, response };
  }
}

const PORTAL = 'http://127.0.0.1:4711/v2/cov/portal/signed-in';
const VERIFIER = 'a-verifier-that-is-long-enough-for-rfc-7636-section-4-1';

function authorization(parameters: Record<string, string> = {}): string {
  const query = new URLSearchParams({
    client_id: 'portal',
    response_type: 'code',
    redirect_uri: PORTAL,
    scope: `openid profile email ${ALL_SCOPES.join(' ')}`,
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
    state: 'some-state',
    ...parameters,
  });
  return `${issuer.url}/auth?${query.toString()}`;
}

async function signIn(visitor: Visitor, email: string, password = 'demo'): Promise<{ url: string; response: Response }> {
  const page = await visitor.go(authorization());
  return visitor.go(page.url, { email, password });
}

const redeem = (code: string, parameters: Record<string, string> = {}): Promise<Response> =>
  post({ grant_type: 'authorization_code', client_id: 'portal', code, redirect_uri: PORTAL, code_verifier: VERIFIER, ...parameters });

const codeOf = (url: string): string => new URL(url).searchParams.get('code')!;

describe('a person who signs in to the portal', () => {
  it.each([
    ['anna@ano.demo', 'Anna', 'ano.demo', OPERATOR_SCOPES.join(' ')],
    ['carla@ano.demo', 'Carla', 'ano.demo', 'events:read closings:write'],
    ['ivan@isp.demo', 'Ivan', 'isp.demo', 'coverage:search charges:read'],
  ])('%s gets a token with their scopes', async (email, name, tenant, scope) => {
    const { url } = await signIn(new Visitor(), email);
    expect(url).toMatch(`${PORTAL}?code=`);
    const answer = (await (await redeem(codeOf(url))).json()) as TokenResponse & { id_token: string };
    const { payload } = await verify(answer.access_token);
    expect(payload).toMatchObject({ tenant, client_id: 'portal', sub: email, preferred_username: email });
    expect(String(payload.scope).split(' ').sort()).toEqual(scope.split(' ').sort());
    expect(decodeJwt(answer.id_token)).toMatchObject({ sub: email, name, email, tenant });
  });

  it('is not asked again in the same browser until signing out', async () => {
    const visitor = new Visitor();
    const { url } = await signIn(visitor, 'anna@ano.demo');
    const { id_token } = (await (await redeem(codeOf(url))).json()) as { id_token: string };
    expect((await visitor.go(authorization())).url).toMatch(`${PORTAL}?code=`);

    const leave = new URLSearchParams({ id_token_hint: id_token, post_logout_redirect_uri: PORTAL.replace('in', 'out') });
    const page = await (await visitor.go(`${issuer.url}/session/end?${leave.toString()}`)).response.text();
    const [, xsrf] = /name="xsrf" value="([^"]+)"/.exec(page)!;
    const gone = await visitor.go(`${issuer.url}/session/end/confirm`, { xsrf: xsrf!, logout: 'yes' });
    expect(gone.url).toBe(PORTAL.replace('in', 'out'));
    expect((await visitor.go(authorization())).url).toMatch(/\/sign-in\//);
  });

  it.each([
    ['a wrong password', 'anna@ano.demo', 'wrong'],
    ['an unknown person', 'nobody@ano.demo', 'demo'],
    ['markup for an e-mail', '"><script>alert(1)</script>', 'demo'],
  ])('is rejected with %s', async (_case, email, password) => {
    const { response } = await signIn(new Visitor(), email, password);
    expect(response.status).toBe(401);
    const page = await response.text();
    expect(page).toContain('The e-mail address or password is wrong');
    expect(page).not.toContain('<script>');
  });

  it('must use a portal on this machine and prove possession of the code verifier', async () => {
    for (const redirect_uri of ['https://elsewhere.example/v2/cov/portal/signed-in', 'http://127.0.0.1:4711/elsewhere']) {
      expect((await new Visitor().go(authorization({ redirect_uri }))).response.status).toBe(400);
    }
    const withoutChallenge = await new Visitor().go(authorization({ code_challenge: '' }));
    expect(new URL(withoutChallenge.url).searchParams.get('error')).toBe('invalid_request');
    const { url } = await signIn(new Visitor(), 'anna@ano.demo');
    expect((await redeem(codeOf(url), { code_verifier: VERIFIER.replace('a', 'b') })).status).toBe(400);
  });

  it('continues with refresh tokens, each of which works once', async () => {
    const { url } = await signIn(new Visitor(), 'anna@ano.demo');
    const first = (await (await redeem(codeOf(url))).json()) as { refresh_token: string };
    const renew = (refresh_token: string) => post({ grant_type: 'refresh_token', client_id: 'portal', refresh_token });
    const second = (await (await renew(first.refresh_token)).json()) as TokenResponse & { refresh_token: string };
    expect((await verify(second.access_token)).payload).toMatchObject({ tenant: 'ano.demo' });
    expect((await renew(first.refresh_token)).status).toBe(400);
    // Reusing a refresh token ends the session, both for its owner and for whoever copied it.
    expect((await renew(second.refresh_token)).status).toBe(400);
  });

  it('is told to start again when the sign-in has expired', async () => {
    const page = await new Visitor().go(`${issuer.url}/sign-in/never-begun`);
    expect([page.response.status, await page.response.text()]).toEqual([
      400,
      expect.stringContaining('This sign-in has expired') as string,
    ]);
  });
});

describe('the metadata', () => {
  it('names the issuer, its token endpoint and its keys', async () => {
    const response = await fetch(`${issuer.url}/.well-known/openid-configuration`);

    expect(await response.json()).toMatchObject({
      issuer: issuer.url,
      token_endpoint: `${issuer.url}/token`,
      jwks_uri: `${issuer.url}/jwks`,
      authorization_endpoint: `${issuer.url}/auth`,
      end_session_endpoint: `${issuer.url}/session/end`,
      grant_types_supported: expect.arrayContaining(['client_credentials', 'authorization_code', 'refresh_token']) as unknown,
      code_challenge_methods_supported: ['S256'],
    });
  });
});

describe('a start', () => {
  it('prints nothing', async () => {
    const script = `
      import { startDevIssuer } from './dev-issuer/dev-issuer.ts';
      const issuer = await startDevIssuer({ host: '${HOST}', port: 0, dataDir: ${JSON.stringify(dataDir)} });
      await fetch(issuer.url + '/token', { method: 'POST' });
      await issuer.close();`;
    const args = ['--conditions=source', '--import', './typescript.mjs', '--input-type=module', '--eval', script];
    const options = { cwd: import.meta.dirname + '/..', env: { ...process.env, NODE_OPTIONS: '' } };

    expect(await promisify(execFile)(process.execPath, args, options)).toEqual({ stdout: '', stderr: '' });
  });

  it('answers whoever asks as soon as it listens', async () => {
    const port = await freePort();
    const readyUrl = `http://${HOST}:${port}/.well-known/openid-configuration`;
    const env = { PATH: process.env.PATH, PORT: String(port), DATA_DIR: join(dataDir, '..') };
    const program = new Program({ name: 'issuer', args: [...FROM_SOURCES, 'main.ts'], cwd: import.meta.dirname, env, readyUrl });
    try {
      for (let status = 0; status !== 200;) {
        expect(program.hasEnded).toBe(false);
        status = await fetch(readyUrl, { signal: AbortSignal.timeout(5_000) }).then(
          (response) => response.status,
          (error: Error) => (error.name === 'TimeoutError' ? Promise.reject(error) : 0),
        );
      }
    } finally {
      await program.stop();
    }
  });
});
