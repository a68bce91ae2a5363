import { readFile } from 'node:fs/promises';
import { TIME_ZONE_RELEASE } from '@fibre/dto';
import { documentFaults, faultsOfPreciseTimes, missingCosts, startTestService, type TestService } from '@fibre/testing';
import { coverageService } from '../../src/coverage-service.js';
import { NODES, operator } from '../access-nodes/access-nodes.js';
import { RELATIONS } from '../relations/relations.js';

let service: TestService;
let document: any;

beforeAll(async () => {
  service = await startTestService(coverageService);
  document = (await service.anonymous().get('/v2/cov/openapi.json')).body;
});
afterAll(() => service.close());

test('the document follows our rules', () => {
  expect(documentFaults(document)).toEqual([]);
});

test('docs/operations.md says what each request may cost', () => {
  expect(missingCosts(service.app)).toEqual([]);
});

test('apart from the token endpoint and the zone release, the document equals the committed openapi.json (npm run openapi)', async () => {
  const committed = JSON.parse(await readFile(new URL('../../openapi.json', import.meta.url), 'utf8'));
  const { tokenUrl } = document.components.securitySchemes.oauth2.flows.clientCredentials;
  expect(tokenUrl).toBe(`${service.issuer.url}/token`);
  committed.components.securitySchemes.oauth2.flows.clientCredentials.tokenUrl = tokenUrl;
  committed.info.description += `\n\nTime zones are those of tz database ${TIME_ZONE_RELEASE}.`;
  expect(document).toEqual(committed);
});

test('every time in a query may have any number of zeros after its microseconds, and nothing else', async () => {
  const client = await service.as({ scope: 'coverage:read coverage:search' });
  const { times, faults } = await faultsOfPreciseTimes(document, (path, query) => client.get(path).query(query));
  expect(faults).toEqual([]);
  expect(times).toBeGreaterThan(2);
});

test('the examples in the document can be sent repeatedly, in both collections', async () => {
  const client = await operator(service);
  const bodies = (path: string, method: string): object[] =>
    Object.values(document.paths[path][method].requestBody.content['application/json'].examples).map((example: any) => example.value);
  for (const target of ['nodes', 'prenodes', 'nodes', 'prenodes']) {
    for (const body of bodies('/v2/cov/nodes', 'post')) {
      const created = await client.post(NODES).query({ target }).send(body);
      expect([target, created.status, created.body]).toEqual([target, 201, expect.objectContaining({ collection: target, ...body })]);
      for (const patch of bodies('/v2/cov/nodes/{node_id}', 'patch')) {
        expect((await client.patch(created.headers.location!).send(patch)).status).toBe(200);
      }
    }
  }
});

test('the example of a relation in the document works again after the relation is deleted', async () => {
  const client = await operator(service);
  const examples = (path: string, method: string): any[] =>
    Object.values(document.paths[path][method].requestBody.content['application/json'].examples);
  for (let round = 0; round < 2; round++) {
    for (const { value } of examples('/v2/cov/relations', 'post')) {
      const created = await client.post(RELATIONS).send(value).expect(201);
      expect(created.body).toMatchObject(value);
      for (const { value: patch } of examples('/v2/cov/relations/{relation_id}', 'patch')) {
        await client.patch(created.headers.location!).send(patch).expect(200);
      }
      await client.delete(created.headers.location!).expect(204);
    }
  }
});

test('required parameters have examples', async () => {
  const client = await operator(service);
  const parameters = (path: string, method: string): any[] => document.paths[path][method].parameters;
  for (const [path, method] of [
    ['/v2/cov/search', 'get'],
    ['/v2/cov/nodes', 'put'],
    ['/v2/cov/nodes', 'delete'],
  ] as const) {
    const query = Object.fromEntries(
      parameters(path, method)
        .filter(({ required }) => required)
        .map(({ name, schema, example }) => [name, example ?? schema.example]),
    );
    expect([path, method, (await client[method](path).query(query)).ok]).toEqual([path, method, true]);
  }
});

test('the docs page stores no secret', async () => {
  const script = (await service.anonymous().get('/v2/cov/docs/swagger-ui-init.js')).text;
  expect(script).toContain('"persistAuthorization": false');
});
