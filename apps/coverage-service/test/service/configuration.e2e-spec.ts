import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { startServiceProcess, startTestService, type TestService } from '@fibre/testing';
import { coverageService } from '../../src/coverage-service.js';
import { create, invalid, newNode, NODES, operator, problemOf, SEARCH } from '../access-nodes/access-nodes.js';

let service: TestService | undefined;
afterEach(() => service?.close());

const AUSTRIA = '46.3,9.5,49.1,17.2';

test('a center outside the service area is rejected, with a hint if latitude and longitude are swapped', async () => {
  service = await startTestService(coverageService, { SERVICE_AREA: AUSTRIA });
  const ano = await operator(service);
  const { node_id } = await create(ano, { center: '48.2, 16.3' });
  for (const edge of ['46.3, 9.5', '49.1, 17.2']) await create(ano, { center: edge });

  for (const attempt of [
    ano.post(NODES).send(newNode({ center: '16.3, 48.2' })),
    ano.patch(`${NODES}${node_id}`).send({ center: '16.3, 48.2' }),
  ]) {
    const answer = await attempt;
    expect(problemOf(answer)).toEqual(invalid('#/center'));
    expect(answer.body.hint).toContain('swapped');
  }
  const elsewhere = await ano.post(NODES).send(newNode({ center: '52.5, 13.4' }));
  expect([problemOf(elsewhere), elsewhere.body.hint]).toEqual([invalid('#/center'), undefined]);
  expect((await ano.get(SEARCH).query({ center: '52.5, 13.4' })).status).toBe(200);
});

test('a service area may cross the date line', async () => {
  service = await startTestService(coverageService, { SERVICE_AREA: '-20,175,-10,-175' });
  const ano = await operator(service);
  for (const center of ['-15, 180', '-15, -180', '-15, 176', '-15, -176']) await create(ano, { center });
  expect(problemOf(await ano.post(NODES).send(newNode({ center: '-15, 170' })))).toEqual(invalid('#/center'));
});

test('the grades can be configured', async () => {
  service = await startTestService(coverageService, { QUALITY_TABLE: 'X:5,Y:1000.5,Z' });
  const ano = await operator(service);
  for (const center of ['0, 0', '0, 0.0001', '0, 0.1']) await create(ano, { center });
  const { body } = await ano.get(SEARCH).query({ center: '0, 0', search_radius: 100_000 });
  expect((body as { quality: string }[]).map(({ quality }) => quality)).toEqual(['X', 'Y', 'Z']);
});

test("scopes and the tenant claim can have the issuer's names", async () => {
  service = await startTestService(coverageService, {
    OAUTH_TENANT_CLAIM: 'org',
    OAUTH_SCOPE_NAMES: 'coverage:read=https://api.example/cov.r',
  });
  const caller = (scope: string, claims: Record<string, unknown>) => service!.as({ tenant: 'ano.test', scope, claims });
  expect((await (await caller('https://api.example/cov.r', { org: 'ano.org' })).get(NODES)).status).toBe(200);
  expect((await (await caller('coverage:read', { org: 'ano.org' })).get(NODES)).body.detail).toContain('https://api.example/cov.r');
  expect((await (await caller('https://api.example/cov.r', {})).get(NODES)).body.code).toBe('tenant-missing');
});

/** Reads the environment with these changes; `undefined` unsets a variable. */
function readWith(changes: Record<string, string | undefined>): () => unknown {
  return () => {
    const before = { ...process.env };
    for (const name of Object.keys(changes)) delete process.env[name];
    Object.assign(process.env, Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)));
    try {
      return coverageService.readEnv();
    } finally {
      for (const name of Object.keys(changes)) delete process.env[name];
      Object.assign(process.env, before);
    }
  };
}

test('all errors in the configuration are listed at once', () => {
  const faulty = {
    SERVICE_AREA: '1,2,3',
    ADDRESS_ID_PATTERN: '[0-9',
    QUALITY_TABLE: 'A:10,B:5,C',
    RELATIONS: 'Registered',
    PORT: '99999',
    DATABASE_POOL_SIZE: '0',
    REPLICA_MAX_LAG_SECONDS: '1.5',
    PUBLIC_BASE_URL: 'example.net',
    TRUST_PROXY: 'everybody',
  };
  for (const name of Object.keys(faulty)) expect(readWith(faulty)).toThrow(`  ${name}: `);
});

test('each address that webhooks cannot be sent to is named', () => {
  const WEBHOOK_ALLOW_CIDRS = '10.0.0.0/8 FD00::5 10.0.0.0/33 fe80::1%eth0 db.internal';
  expect(readWith({ WEBHOOK_ALLOW_CIDRS })).toThrow('wrong: 10.0.0.0/33, fe80::1%eth0, db.internal');
});

test('an error in the URL of the database does not repeat it, because it may have a password', () => {
  for (const DATABASE_URL of ['mysql://fibre:secret@db/fibre', 'fibre:secret@db/fibre']) {
    expect(readWith({ DATABASE_URL })).toThrow('  DATABASE_URL: must be a postgres:// URL');
    expect(readWith({ DATABASE_URL })).not.toThrow('secret');
  }
});

test('production has no defaults for what depends on the deployment', () => {
  const unset = { DATABASE_URL: undefined, OAUTH_ISSUER: undefined, OAUTH_AUDIENCE: undefined };
  for (const name of Object.keys(unset)) expect(readWith({ ...unset, NODE_ENV: 'production' })).toThrow(`  ${name}: is required`);
  expect(readWith({ ...unset, NODE_ENV: 'development' })).not.toThrow();
});

test('an unknown NODE_ENV is rejected, not treated as development', () => {
  for (const NODE_ENV of ['prod', 'Production', 'staging']) expect(readWith({ NODE_ENV })).toThrow('  NODE_ENV: ');
  expect(readWith({ NODE_ENV: 'test' })).not.toThrow();
});

test('in production, keys must be fetched over https or from this machine', () => {
  const production = { NODE_ENV: 'production', DATABASE_URL: 'postgres://db/x', OAUTH_AUDIENCE: 'x' };
  const issuer = 'https://issuer.example';
  for (const url of ['http://issuer.example', 'http://10.0.0.1', 'http://localhost.example']) {
    expect(readWith({ ...production, OAUTH_ISSUER: url })).toThrow('  OAUTH_ISSUER: must be an https URL');
    expect(readWith({ ...production, OAUTH_ISSUER: issuer, OAUTH_JWKS_URI: url })).toThrow('  OAUTH_JWKS_URI: must be an https URL');
  }
  for (const url of [issuer, 'http://localhost:3003', 'http://127.0.0.1:3003', 'http://[::1]'])
    expect(readWith({ ...production, OAUTH_ISSUER: url })).not.toThrow();
});

test('an issuer that is only compared may be any text', () => {
  const production = { NODE_ENV: 'production', DATABASE_URL: 'postgres://db/x', OAUTH_AUDIENCE: 'x' };
  for (const OAUTH_ISSUER of ['http://sts.example.net/adfs/services/trust', 'accounts.google.com']) {
    expect(readWith({ ...production, OAUTH_ISSUER })).toThrow('for any other issuer, set OAUTH_JWKS_URI to the https URL of its keys');
    expect(readWith({ ...production, OAUTH_ISSUER, OAUTH_JWKS_URI: 'https://keys.example/jwks' })).not.toThrow();
    expect(readWith({ ...production, OAUTH_ISSUER, OAUTH_JWKS_URI: 'http://keys.example/jwks' })).toThrow('  OAUTH_JWKS_URI: must be');
  }
  for (const OAUTH_ISSUER of ['accounts google', 'x'.repeat(256)])
    expect(readWith({ ...production, OAUTH_ISSUER, OAUTH_JWKS_URI: 'https://keys.example/jwks' })).toThrow(
      '  OAUTH_ISSUER: must be 1 to 255',
    );
});

test('the services start with the settings in docker/compose.yaml, which says more than their image', () => {
  const compose = parse(readFileSync(join(import.meta.dirname, '../../../../docker/compose.yaml'), 'utf8'), { merge: true }) as {
    services: Record<string, { environment: Record<string, string> }>;
  };
  for (const { environment } of ['coverage-service', 'event-service'].map((name) => compose.services[name]!))
    expect(readWith({ NODE_ENV: 'production', ...environment })).not.toThrow();
});

test('a failed start prints the reason in one line and nothing else', async () => {
  const url = new URL(process.env.TEST_DATABASE_SERVER_URL!);
  url.search = 'sslmode=verify-full';
  const failure = await startServiceProcess('coverage-service', { DATABASE_URL: url.href }).catch((error: Error) => error.message);
  expect(failure).toMatch(/^coverage-service ended with exit code 1\ncoverage-service cannot start\. the database cannot be used: [^\n]+$/);
});
