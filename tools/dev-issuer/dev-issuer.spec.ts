import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { FROM_SOURCES, Program } from '@fibre/testing/processes';
import { createRemoteJWKSet, jwtVerify } from 'jose';
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
  it('verifies against the published keys and carries tenant, client and every scope of the client', async () => {
    const answer = await token({}, basic('ano-demo'));
    const { payload } = await verify(answer.access_token);

    expect(answer).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
    expect(payload).toMatchObject({
      tenant: 'ano.demo',
      client_id: 'ano-demo',
      scope: 'coverage:read coverage:write coverage:search events:read events:write',
    });
    expect(payload.exp).toBe((payload.iat ?? 0) + 3600);
  });

  it('is issued for a secret in the body too', async () => {
    const { access_token } = await token({ client_id: 'isp-demo', client_secret: 'isp-demo-secret' });
    const { payload } = await verify(access_token);

    expect(payload).toMatchObject({ tenant: 'isp.demo', scope: 'coverage:search' });
  });

  it('carries only the scopes that were asked for', async () => {
    const { access_token } = await token({ scope: 'events:read coverage:read' }, basic('ano-other'));
    const { payload } = await verify(access_token);

    expect(payload).toMatchObject({ tenant: 'ano.other', scope: 'events:read coverage:read' });
  });

  it('survives a restart of the issuer, whose keys only their owner may read', async () => {
    const { access_token } = await token({}, basic('ano-demo'));
    const port = Number(new URL(issuer.url).port);
    await issuer.close();
    issuer = await startDevIssuer({ host: HOST, port, dataDir });

    await expect(verify(access_token)).resolves.toBeDefined();
    expect((await stat(join(dataDir, 'signing-keys.json'))).mode & 0o777).toBe(0o600);
  });
});

describe('a token request is refused as RFC 6749 says', () => {
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
  it('may ask before they send credentials', async () => {
    const headers = { origin: DOCS_ORIGIN, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' };
    const response = await fetch(`${issuer.url}/token`, { method: 'OPTIONS', headers });

    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe(DOCS_ORIGIN);
    expect(response.headers.get('access-control-allow-headers')).toBe('authorization');
  });

  it('get a token, pages from elsewhere do not', async () => {
    const parameters = { grant_type: 'client_credentials' };
    const ours = await post(parameters, { ...basic('ano-demo'), origin: DOCS_ORIGIN });
    const others = await post(parameters, { ...basic('ano-demo'), origin: 'https://elsewhere.example' });

    expect([ours.status, ours.headers.get('access-control-allow-origin')]).toEqual([200, DOCS_ORIGIN]);
    expect([others.status, others.headers.get('access-control-allow-origin')]).toEqual([400, null]);
  });
});

describe('the metadata', () => {
  it('names the issuer, its token endpoint and its keys', async () => {
    const response = await fetch(`${issuer.url}/.well-known/openid-configuration`);

    expect(await response.json()).toMatchObject({
      issuer: issuer.url,
      token_endpoint: `${issuer.url}/token`,
      jwks_uri: `${issuer.url}/jwks`,
      grant_types_supported: ['client_credentials'],
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
    const args = ['--conditions=source', '--import', '@swc-node/register/esm-register', '--input-type=module', '--eval', script];
    const options = { cwd: import.meta.dirname + '/..', env: { ...process.env, NODE_OPTIONS: '' } };

    expect(await promisify(execFile)(process.execPath, args, options)).toEqual({ stdout: '', stderr: '' });
  });

  it('says which file to delete when the keys are damaged', async () => {
    const damaged = await mkdtemp(join(tmpdir(), 'dev-issuer-'));
    await writeFile(join(damaged, 'signing-keys.json'), '{"keys":');

    await expect(startDevIssuer({ host: HOST, port: 0, dataDir: damaged })).rejects.toThrow('signing-keys.json holds no signing keys');
    await rm(damaged, { recursive: true });
  });

  it('says how to choose another port when its own is taken', async () => {
    const { port } = new URL(issuer.url);
    const second = new Program({
      name: 'issuer',
      args: [...FROM_SOURCES, 'dev-issuer/main.ts'],
      cwd: join(import.meta.dirname, '..'),
      env: { PATH: process.env.PATH, DATA_DIR: join(dataDir, '..'), PORT: port },
      readyUrl: issuer.url,
    });

    expect(await second.gone).toBe('ended with exit code 1');
    expect(second.lines.join()).toMatch(
      new RegExp(`^Port ${port} is already taken: .* PORT=${Number(port) + 1_000} npx nx run tools:issuer`),
    );
  });
});
