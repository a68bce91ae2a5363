import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  cloneDatabase,
  type ClonedDatabase,
  type ServiceProcess,
  startServiceProcess,
  startTestIssuer,
  TEST_AUDIENCE,
  type TestIssuer,
} from '@fibre/testing';
import { volume } from '@fibre/testing/volume';
import { ALL_SCOPES, newNode, NODES } from '../access-nodes/access-nodes.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';
const [SERVER, CLIENT, ERROR] = [2, 3, 2];

/** A span in OTLP JSON. */
interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly status: { readonly code?: number };
  readonly attributes: { readonly key: string; readonly value: Record<string, unknown> }[];
  /** The attribute `service.name` of the span's resource. */
  readonly service: unknown;
}

let issuer: TestIssuer;
let database: ClonedDatabase;
let collector: Server;
let environment: Record<string, string>;
let token: string;
let spans: Span[];

beforeAll(async () => {
  [issuer, database] = await Promise.all([startTestIssuer(), cloneDatabase()]);
  token = await issuer.token({ scope: ALL_SCOPES });
  collector = createServer((request, response) => {
    void (async () => {
      const { resourceSpans } = JSON.parse(Buffer.concat(await request.toArray()).toString());
      for (const { resource, scopeSpans } of resourceSpans) {
        const service = attribute(resource, 'service.name');
        for (const scope of scopeSpans) spans.push(...scope.spans.map((span: Span) => ({ ...span, service })));
      }
      response.end('{}');
    })();
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  environment = {
    DATABASE_URL: database.url,
    OAUTH_ISSUER: issuer.url,
    OAUTH_AUDIENCE: TEST_AUDIENCE,
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  };
});
beforeEach(() => (spans = []));
afterAll(async () => {
  collector.close();
  await Promise.all([issuer.close(), database.drop()]);
});

const attribute = ({ attributes }: Pick<Span, 'attributes'>, name: string): unknown =>
  Object.values(attributes.find(({ key }) => key === name)?.value ?? {})[0];

/** Runs a service, and then stops it so that it sends its remaining spans. @returns its log */
async function withService(more: Record<string, string>, work: (service: ServiceProcess) => Promise<unknown>) {
  const service = await startServiceProcess('coverage-service', { ...environment, ...more });
  await work(service).finally(() => service.stop());
  return service.log();
}

const send = (service: ServiceProcess, path: string, init: RequestInit = {}) =>
  fetch(`${service.url}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...init.headers },
  });

test("a request is a span of its caller's trace, named after its route, with its statements as children", async () => {
  const node = newNode();
  const log = await withService({}, async (service) => {
    await fetch(`${service.url}/health/ready`);
    const created = await send(service, NODES, { method: 'POST', body: JSON.stringify(node) });
    const { node_id } = (await created.json()) as { node_id: string };
    await send(service, `${NODES}?relation_id=${node.relation_id as string}`, {
      headers: { traceparent: `00-${TRACE}-${CALLER}-01`, 'x-request-id': 'traced' },
    });
    await send(service, `${NODES}${node_id}`, { headers: { traceparent: `00-${TRACE}-${CALLER}-00` } });
  });
  const list = spans.find(({ name }) => name === 'GET /v2/cov/nodes')!;
  expect(list).toMatchObject({ traceId: TRACE, parentSpanId: CALLER, kind: SERVER, service: 'coverage-service' });
  expect(['http.request.method', 'http.route', 'url.path', 'http.response.status_code'].map((name) => attribute(list, name))).toEqual([
    'GET',
    '/v2/cov/nodes',
    '/v2/cov/nodes',
    200,
  ]);
  const statements = spans.filter(({ parentSpanId }) => parentSpanId === list.spanId);
  // A listing of one page needs no count.
  expect(statements).toHaveLength(1);
  for (const statement of statements) {
    expect(statement).toMatchObject({ traceId: TRACE, kind: CLIENT, name: attribute(statement, 'db.query.summary') });
    expect(attribute(statement, 'db.system.name')).toBe('postgresql');
  }
  // There are no spans for probes or for requests whose caller did not sample the trace, and the spans contain no parameter values.
  expect(
    spans
      .filter(({ kind }) => kind === SERVER)
      .map(({ name }) => name)
      .sort(),
  ).toEqual(['GET /v2/cov/nodes', 'POST /v2/cov/nodes']);
  expect(JSON.stringify(spans)).not.toContain(node.relation_id);
  expect(log.find(({ request_id }) => request_id === 'traced')).toMatchObject({ trace_id: TRACE });
  expect(log.find(({ msg }) => msg === `POST /v2/cov/nodes 201`)).toMatchObject({
    trace_id: spans.find(({ name }) => name.startsWith('POST'))!.traceId,
  });
});

const OFF: [string, string][] = [
  ['OTEL_TRACES_SAMPLER', 'always_off'],
  ['OTEL_SDK_DISABLED', 'true'],
  ['OTEL_TRACES_EXPORTER', 'none'],
];
test.each(volume(OFF.slice(0, 1), OFF))('the standard variable %s=%s disables traces', async (name, off) => {
  await withService({ [name]: off }, (service) => send(service, NODES));
  expect(spans).toEqual([]);
});

test('failures are marked, spans have the standard name of the service, and an unreachable collector does no harm', async () => {
  await withService({ DATABASE_POOL_SIZE: '1', OTEL_SERVICE_NAME: 'renamed' }, async (service) => {
    await database.drop();
    expect((await send(service, NODES)).status).toBe(503);
  });
  const failed = spans.find(({ name }) => name === 'GET /v2/cov/nodes')!;
  expect([failed.status.code, attribute(failed, 'error.type')]).toEqual([ERROR, '503']);
  expect(new Set(spans.map(({ service }) => service))).toEqual(new Set(['renamed']));

  database = await cloneDatabase();
  const log = await withService({ DATABASE_URL: database.url, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }, async (service) => {
    expect((await send(service, NODES)).status).toBe(200);
  });
  expect(log.map(({ msg }) => msg)).toContain('SIGTERM: shutting down');
});
