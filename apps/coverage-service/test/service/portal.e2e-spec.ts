import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { startTestService, type TestService } from '@fibre/testing';
import type { DynamicModule } from '@nestjs/common';
import { coverageService } from '../../src/coverage-service.js';
import { portalFiles } from '../../src/portal/portal-files.js';
import { PortalModule } from '../../src/portal/portal.module.js';
import { PORTAL_PATH, portalOptions } from '../../src/portal/portal.options.js';

const INDEX = '<!doctype html><title>portal</title>';
const SCRIPT = `console.log(${JSON.stringify('x'.repeat(2_000))})`;

let folder: string;
let service: TestService;

/** The service with a portal whose files the test knows. */
const withPortalIn = (folder: string): typeof coverageService => ({
  ...coverageService,
  module: (env, databaseUrl): DynamicModule => {
    const app = coverageService.module({ ...env, PORTAL_ENABLED: false }, databaseUrl);
    return { ...app, imports: [...(app.imports ?? []), PortalModule.forRoot({ ...portalOptions(env), folder })] };
  },
});

beforeAll(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'portal-')), 'dist');
  await mkdir(join(folder, 'assets'), { recursive: true });
  await writeFile(join(folder, 'index.html'), INDEX);
  await writeFile(join(folder, 'assets/main-abc.js'), SCRIPT);
  await writeFile(join(folder, 'assets/main-abc.js.br'), brotliCompressSync(SCRIPT));
  await writeFile(join(folder, '../secret.txt'), 'not for everybody');
  service = await startTestService(withPortalIn(folder), {
    PORTAL_ENABLED: 'true',
    PORTAL_EVENTS_URL: 'https://events.example.net',
    OAUTH_SCOPE_NAMES: 'coverage:read=cov.r',
  });
});
afterAll(async () => {
  await service.close();
  await rm(join(folder, '..'), { recursive: true });
});

const get = (path: string, headers: Record<string, string> = {}) => fetch(service.url + PORTAL_PATH + path, { headers });

/** Requests this exact path; fetch would normalize it. */
const raw = (path: string): Promise<{ status: number; body: string }> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.url);
    request({ hostname, port, path }, (response) => {
      let body = '';
      response.on('data', (chunk) => (body += chunk)).on('end', () => resolve({ status: response.statusCode!, body }));
    })
      .on('error', reject)
      .end();
  });

test.each(['', '/', '/relations', '/relations/01a?x=1', '/signed-in?code=a&state=b&iss=c'])(
  '%j is a public page of the portal, revalidated each time',
  async (path) => {
    const answer = await get(path, { accept: 'text/html' });
    expect([answer.status, await answer.text()]).toEqual([200, INDEX]);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-cache');
  },
);

test('files named after their content are cached forever, and sent compressed if the client accepts that', async () => {
  const plain = await get('/assets/main-abc.js', { 'accept-encoding': 'identity' });
  expect([plain.status, await plain.text()]).toEqual([200, SCRIPT]);
  expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(plain.headers.get('vary')).toMatch(/accept-encoding/i);

  const packed = await service
    .anonymous()
    .get(`${PORTAL_PATH}/assets/main-abc.js`)
    .set('accept-encoding', 'br')
    .buffer(true)
    .parse((response, done) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => done(null, Buffer.concat(chunks)));
    });
  expect(packed.headers).toMatchObject({ 'content-encoding': 'br', 'content-type': 'text/javascript; charset=utf-8' });
  expect(Number(packed.headers['content-length'])).toBeLessThan(200);
  expect((packed.body as Buffer).length < 200 ? brotliDecompressSync(packed.body as Buffer).toString() : String(packed.body)).toBe(SCRIPT);
});

test('HEAD and a matching If-None-Match get no body', async () => {
  const head = await service.anonymous().head(`${PORTAL_PATH}/`);
  expect([head.status, head.headers['content-length'], head.text]).toEqual([200, String(INDEX.length), undefined]);
  const { etag } = head.headers as { etag: string };
  // This does not use fetch, which would also send `Cache-Control: no-cache`.
  const known = await service.anonymous().get(`${PORTAL_PATH}/`).set('if-none-match', etag);
  expect([known.status, known.text]).toEqual([304, '']);
});

test("a browser may only run the portal's files, and only connect to the APIs and the issuer", async () => {
  const policy = (await get('/')).headers.get('content-security-policy')!;
  const directives = new Map(policy.split(';').map((one) => [one.split(' ')[0], one.split(' ').slice(1)]));
  expect(directives.get('default-src')).toEqual(["'none'"]);
  expect(directives.get('script-src')).toEqual(["'self'"]);
  expect(directives.get('style-src')).toEqual(["'self'"]);
  expect(directives.get('worker-src')).toEqual(["'self'"]);
  expect(directives.get('connect-src')).toEqual(["'self'", service.issuer.url, 'https://events.example.net']);
  expect(directives.get('frame-ancestors')).toEqual(["'none'"]);
  expect(policy).not.toMatch(/unsafe|\*/);
});

test('config.json has addresses and no secret', async () => {
  const answer = await get('/config.json');
  expect(answer.headers.get('cache-control')).toBe('no-cache');
  expect(await answer.json()).toEqual({
    issuer: service.issuer.url,
    client_id: 'portal',
    scopes: {
      'coverage:read': 'cov.r',
      'coverage:write': 'coverage:write',
      'coverage:search': 'coverage:search',
      'events:read': 'events:read',
      'events:write': 'events:write',
      'closings:write': 'closings:write',
      'charges:read': 'charges:read',
    },
    coverage_url: '',
    events_url: 'https://events.example.net',
  });
});

test.each(['/assets/%2e%2e/index.html', '/assets/../index.html', '/index.html.br', '/assets/main-abc.js.br'])(
  'a file has exactly one path, because of caches: %s does not exist',
  async (path) => expect((await raw(PORTAL_PATH + path)).status).toBe(404),
);

test.each([
  '/.git/HEAD',
  '/.env',
  '/%2egit/HEAD',
  '/relations/.ssh/id_rsa',
  '/.well-known/security',
  '/assets',
  '/assets/',
  '/assets/main-abc',
  '/assets/main-def.js',
  '/map/',
  '/map/0/0',
])('%s is neither a file nor a page', async (path) => expect((await raw(PORTAL_PATH + path)).status).toBe(404));

test.each([
  '/../secret.txt',
  '/%2e%2e/secret.txt',
  '/assets/..%2f..%2fsecret.txt',
  '/assets/%5c..%5csecret.txt',
  '/..%00/secret.txt',
  '//etc/passwd',
  '/%zz.txt',
])('no path leads out of the portal folder: %s', async (path) => {
  const { status, body } = await raw(PORTAL_PATH + path);
  expect(body).not.toMatch(/not for everybody|root:/);
  expect([200, 400, 404]).toContain(status);
  if (status === 200) expect(body).toBe(INDEX);
});

test('the response to a missing file is a problem like any other', async () => {
  const answer = await get('/assets/gone-abc.js', { 'accept-encoding': 'br' });
  expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-encoding')]).toEqual([
    404,
    'application/problem+json',
    null,
  ]);
  expect(await answer.json()).toMatchObject({ code: 'route-not-found' });
  expect(answer.headers.get('cache-control')).toBe('no-store');
});

test('other methods get 405, ranges are ignored, and a failed precondition gets 412', async () => {
  const post = await fetch(`${service.url}${PORTAL_PATH}/`, { method: 'POST' });
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  expect((await get('/', { range: 'bytes=0-1' })).status).toBe(200);
  expect((await get('/', { 'if-match': '"other"' })).status).toBe(412);
});

test('a portal that is not built is a temporary fault in development, and prevents the start in production', async () => {
  const nowhere = join(folder, 'nowhere');
  const unbuilt = await startTestService(withPortalIn(nowhere), { PORTAL_ENABLED: 'true' });
  const answer = await fetch(`${unbuilt.url}${PORTAL_PATH}/`);
  expect([answer.status, answer.headers.get('retry-after') !== null]).toEqual([503, true]);
  await unbuilt.close();
  expect(() => portalFiles({ ...portalOptions(coverageService.readEnv()), folder: nowhere, isRebuilt: false })).toThrow('has no portal');
});

test('if the portal is disabled, its paths get 404', async () => {
  const off = await startTestService(coverageService, { PORTAL_ENABLED: 'false' });
  for (const path of ['', '/', '/config.json']) expect((await fetch(off.url + PORTAL_PATH + path)).status).toBe(404);
  await off.close();
});
