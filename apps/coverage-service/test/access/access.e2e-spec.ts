import { randomUUID } from 'node:crypto';
import { type DeclaredRoute, declaredRoutes, startTestService, type TestService } from '@fibre/testing';
import { Controller, Get, Module } from '@nestjs/common';
import { coverageService } from '../../src/coverage-service.js';
import { ALL_SCOPES, type Client, create, newNode, NODES, operator, problemOf, refusal } from '../access-nodes/access-nodes.js';
import { createRelation, relationUrl } from '../relations/relations.js';

const ID = '00000000-0000-7000-8000-000000000000';
const PUBLIC = ['GET /health/live', 'GET /health/ready', 'GET /metrics'];

@Controller('v2/cov/forgotten')
class ForgottenController {
  @Get()
  forgotten(): string {
    return 'nobody may read this';
  }
}

@Module({ controllers: [ForgottenController] })
class ForgottenModule {}

let service: TestService;
let routes: DeclaredRoute[];

beforeAll(async () => {
  service = await startTestService({
    ...coverageService,
    module: (env, databaseUrl) => {
      const app = coverageService.module(env, databaseUrl);
      return { ...app, imports: [...(app.imports ?? []), ForgottenModule] };
    },
  });
  routes = declaredRoutes(service.app);
});
afterAll(() => service.close());

/** A path without and with a trailing slash, with an id for each parameter. */
const urls = (path: string, id = ID): string[] => [path, `${path}/`].map((text) => text.replaceAll(/:\w+/g, id));
const verb = (method: string) => method.toLowerCase() as 'get';
const guarded = (): DeclaredRoute[] => routes.filter(({ authorization }) => authorization);

test('only health and metrics are public', () => {
  expect(
    routes
      .filter(({ isPublic }) => isPublic)
      .map(({ method, path }) => `${method} ${path}`)
      .sort(),
  ).toEqual(PUBLIC);
  expect(guarded()).toHaveLength(routes.length - PUBLIC.length - 1);
  expect(guarded().length).toBeGreaterThanOrEqual(8);
});

test.each(PUBLIC.flatMap((route) => urls(route.split(' ')[1]!)))('%s works without a token', async (url) => {
  expect((await service.anonymous().get(url)).status).toBe(200);
});

test('the API documentation needs no token', async () => {
  const document = await service.anonymous().get('/v2/cov/openapi.json');
  expect([document.status, document.body.openapi]).toEqual([200, '3.1.0']);
  expect((await service.anonymous().get('/v2/cov/docs')).status).toBe(200);
});

test('besides the routes of controllers, there are only the API documentation and the portal, both public', () => {
  const layers = (service.app.getHttpAdapter().getInstance() as { router: { stack: { route?: { path: string } }[] } }).router.stack;
  const paths = new Set(layers.flatMap(({ route }) => (route ? [route.path] : [])));
  const declared = new Set(routes.map(({ path }) => path));
  const others = [...paths].filter((path) => !declared.has(path) && !/^\/v2\/cov\/(docs|openapi\.json)/.test(path));
  expect(others.sort()).toEqual(['/v2/cov/portal/config.json', '/v2/cov/portal{/*path}']);
});

test('every other route requires a token, with and without a trailing slash', async () => {
  const anonymous = service.anonymous();
  for (const { method, path } of routes.filter(({ isPublic }) => !isPublic)) {
    for (const url of urls(path)) {
      const answer = await anonymous[verb(method)](url);
      expect([method, url, problemOf(answer), answer.headers['www-authenticate']]).toEqual([
        method,
        url,
        refusal(401, 'token-missing'),
        'Bearer realm="open-access-fibre"',
      ]);
    }
  }
});

test('every route requires only its own scope', async () => {
  for (const { method, path, authorization } of guarded()) {
    const { anyOf } = authorization!;
    const [scope] = anyOf;
    const others = await service.as({ scope: [...ALL_SCOPES.split(' ').filter((name) => !anyOf.includes(name)), 'events:read'].join(' ') });
    const right = await service.as({ scope });
    for (const url of urls(path)) {
      const answer = await others[verb(method)](url);
      const challenge = `Bearer realm="open-access-fibre", error="insufficient_scope", scope="${scope}"`;
      expect([method, url, problemOf(answer), answer.headers['www-authenticate']]).toEqual([
        method,
        url,
        refusal(403, 'scope-missing'),
        challenge,
      ]);
      expect([method, url, (await right[verb(method)](url)).status]).not.toEqual([method, url, 403]);
    }
  }
});

test('reading, writing and searching have separate scopes', () => {
  const scopes = guarded().map(({ method, path, authorization }) => [authorization!.anyOf, method, path] as const);
  for (const [anyOf, method, path] of scopes) {
    const expected = path.startsWith('/v2/cov/search') ? ['coverage:search'] : [method === 'GET' ? 'coverage:read' : 'coverage:write'];
    // Webhooks follow the feed `nodes` or the feed `search`.
    if (path.startsWith('/v2/cov/webhooks')) expected.push('coverage:search');
    expect([method, path, anyOf]).toEqual([method, path, expected]);
  }
});

const WITHOUT_TENANT = [
  '/v2/cov/search',
  '/v2/cov/search',
  '/v2/cov/search/addresses',
  '/v2/cov/search/addresses/:address_id',
  '/v2/cov/search/changes',
  '/v2/cov/search/export',
  '/v2/cov/search/relations',
  '/v2/cov/search/relations/:relation_id',
];
/** What they require. */
const QUERIES: Readonly<Record<string, object>> = {
  '/v2/cov/search': { center: '48.2, 16.3' },
  '/v2/cov/search/addresses': { q: 'haupt' },
};
/** Status and code of their responses, in an empty database. */
const answerOf = (method: string, path: string): unknown[] => {
  if (method === 'POST') return [400, 'malformed-request'];
  return path.endsWith(':relation_id') ? [404, 'not-found'] : [200, undefined];
};

test('every route except the search routes requires a tenant', async () => {
  for (const tenant of [null, '', 'Ano', '-ano', 'ano/x', `a${'o'.repeat(63)}`]) {
    const nobody = await service.as({ tenant, scope: ALL_SCOPES });
    expect(
      guarded()
        .flatMap(({ path, authorization }) => (authorization!.tenant ? [] : [path]))
        .sort(),
    ).toEqual(WITHOUT_TENANT);
    for (const { method, path, authorization } of guarded()) {
      const answer = await nobody[verb(method)](urls(path)[1]!).query(QUERIES[path] ?? {});
      expect([tenant, method, path, answer.status, answer.body.code]).toEqual([
        tenant,
        method,
        path,
        ...(authorization!.tenant ? [403, 'tenant-missing'] : answerOf(method, path)),
      ]);
    }
  }
});

/** How a tenant creates a record, where it is read, and how it is changed, keyed by the name of its path parameter. */
const RECORDS: Record<string, { make: (owner: Client) => Promise<{ id: string; url: string }>; change: object }> = {
  node_id: {
    make: async (owner) => {
      const { node_id } = await create(owner, {}, 'prenodes');
      return { id: node_id, url: `${NODES}${node_id}` };
    },
    change: { token: 'operation' },
  },
  relation_id: {
    make: async (owner) => {
      const relation = await createRelation(owner);
      return { id: relation.relation_id, url: relationUrl(relation) };
    },
    change: { pip: 'stolen' },
  },
  webhook_id: {
    make: async (owner) => {
      const { body } = await owner.post('/v2/cov/webhooks/').send({ url: 'https://crm.example/', feed: 'nodes', enabled: false });
      return { id: body.webhook_id as string, url: `/v2/cov/webhooks/${body.webhook_id}` };
    },
    change: { url: 'https://thief.example/' },
  },
};

test("another tenant's record looks absent on every route with an id", async () => {
  const owner = await operator(service, 'ano.owner');
  const stranger = await operator(service, 'ano.stranger');
  // Those without a tenant show what ISPs may see.
  const own = routes.filter(({ authorization }) => authorization?.tenant);
  const withId = own.flatMap(({ method, path }) =>
    [...path.matchAll(/:(\w+_id)/g)].map(([, id]) => ({ method, path, record: RECORDS[id!]! })),
  );
  // A new route with an id belongs into this list; then it is requested below as another tenant.
  expect(withId.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
    'DELETE /v2/cov/nodes/:node_id',
    'DELETE /v2/cov/relations/:relation_id',
    'DELETE /v2/cov/webhooks/:webhook_id',
    'GET /v2/cov/nodes/:node_id',
    'GET /v2/cov/relations/:relation_id',
    'GET /v2/cov/webhooks/:webhook_id',
    'PATCH /v2/cov/nodes/:node_id',
    'PATCH /v2/cov/relations/:relation_id',
    'PATCH /v2/cov/webhooks/:webhook_id',
    'POST /v2/cov/webhooks/:webhook_id/rotate',
    'POST /v2/cov/webhooks/:webhook_id/test',
  ]);
  const absent = randomUUID();
  for (const { method, path, record } of withId) {
    const { id, url } = await record.make(owner);
    const before = await owner.get(url);
    const answers = [];
    for (const each of [id, absent]) {
      for (const url of urls(path, each)) {
        const answer = await (method === 'PATCH' ? stranger.patch(url).send(record.change) : stranger[verb(method)](url));
        expect([method, url, problemOf(answer)]).toEqual([method, url, refusal(404, 'not-found')]);
        const { instance: _instance, request_id: _request, ...body } = answer.body as Record<string, string>;
        answers.push(JSON.stringify(body).replaceAll(each, '<id>'));
      }
    }
    expect(new Set(answers).size).toBe(1);
    expect((await owner.get(url)).body).toEqual(before.body);
  }
});

test("lists, merges and bulk deletes only see their tenant's records", async () => {
  const owner = await operator(service, 'ano.first');
  const stranger = await operator(service, 'ano.second');
  const relation_id = randomUUID();
  const node = await create(owner, { relation_id });
  const prenode = await create(owner, { relation_id, customer_reference: 'same' }, 'prenodes');

  expect((await stranger.get(NODES).query({ relation_id })).body).toEqual([]);
  expect((await stranger.put(NODES).query({ relation_id })).body).toEqual({ action: [] });
  const node_ids = [node.node_id, prenode.node_id];
  expect((await stranger.patch(NODES).send({ node_ids, set: { token: 'operation' } })).body.errors).toHaveLength(2);
  for (const target of ['nodes', 'prenodes']) expect((await stranger.delete(NODES).query({ relation_id, target })).status).toBe(204);
  expect((await owner.get(`${NODES}${node.node_id}`)).body).toEqual(node);
  expect((await owner.get(`${NODES}${prenode.node_id}`)).body).toEqual(prenode);
  expect(
    (
      await stranger
        .post(NODES)
        .query({ target: 'prenodes' })
        .send(newNode({ relation_id, customer_reference: 'same' }))
    ).status,
  ).toBe(201);
});

test('a route without a scope is closed to everyone', async () => {
  const everything = await operator(service);
  for (const url of ['/v2/cov/forgotten', '/v2/cov/forgotten/']) {
    expect(problemOf(await everything.get(url))).toEqual(refusal(403, 'route-closed'));
  }
});
