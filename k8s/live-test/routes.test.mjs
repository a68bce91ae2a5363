// Tests the rendered Ingress rules with a real nginx in front of both services.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test as root } from 'node:test';
import { HOST, startIssuer, startServices, token } from './backends.mjs';
import { ofKind, render, settingsByService } from './chart.mjs';
import { startNginx } from './nginx.mjs';

const COVERAGE = '/v2/cov';
const EVENTS = '/api/v2/sys/events';
/** The other APIs of event-service. */
const BESIDE_EVENTS = ['charges', 'closings', 'entities', 'find', 'isps', 'overview', 'periods', 'webhooks'].map(
  (api) => `/api/v2/sys/${api}`,
);

/** Paths that must not be routed: paths of internal endpoints, and paths that only resemble those of the APIs. */
const NOT_ROUTED = [
  '/',
  '/health',
  '/health/live',
  '/health/ready',
  '/metrics',
  '/metrics/',
  '//metrics',
  ...[COVERAGE, EVENTS, ...BESIDE_EVENTS].flatMap((api) => {
    const up = api.split('/').length - 1;
    const above = [`${'/..'.repeat(up)}/metrics`, `/${'..%2f'.repeat(up)}metrics`, `${'/%2e%2e'.repeat(up)}/health/ready`];
    return [...above, 'x', '-docs'].map((rest) => api + rest);
  }),
  '/v2',
  '/v2/',
  '/api/v2/sys',
  '/V2/COV/nodes',
];

/** Number of rows that make a file larger than 1 MB. */
const FILE_ROWS = 20_000;

const LAYOUTS = [
  { values: 'one-host', coverage: 'api.example.net', events: 'api.example.net' },
  { values: 'two-host', coverage: 'coverage.example.net', events: 'events.example.net' },
];

for (const { values, coverage, events } of LAYOUTS) {
  root(`${values} values`, async (test) => {
    const { get, send, authorization, ports } = await running(test, render(values));

    await test.test('every prefix reaches its service, with and without a trailing slash', async () => {
      for (const [host, path, title] of [
        [coverage, COVERAGE, 'Coverage API'],
        [events, EVENTS, 'Event API'],
      ]) {
        const document = await get(host, `${path}/openapi.json`);
        assert.equal(document.status, 200);
        assert.equal(JSON.parse(document.body).info.title, title);
        assert.equal((await get(host, `${path}/docs/`)).status, 200);
      }
      for (const path of [`${COVERAGE}/nodes`, `${COVERAGE}/nodes/`]) assert.equal((await get(coverage, path, authorization)).status, 200);
      for (const path of [EVENTS, `${EVENTS}/`]) assert.equal((await get(events, path, authorization)).status, 200);
      for (const path of BESIDE_EVENTS.flatMap((prefix) => [prefix, `${prefix}/`])) {
        assert.equal((await get(events, path, authorization)).headers['content-type']?.startsWith('application/'), true, path);
      }
      assert.equal((await get(events, EVENTS)).headers['www-authenticate'], 'Bearer realm="open-access-fibre"');
    });

    await test.test('nothing else is routed, especially not health and metrics', async () => {
      for (const port of ports.values()) assert.equal((await fetch(`http://${HOST}:${port}/metrics`)).status, 200);
      for (const host of new Set([coverage, events])) {
        for (const path of NOT_ROUTED) assertRefusedByProxy(await get(host, path, authorization), `${host}${path}`);
      }
      assertRefusedByProxy(await get('unknown.example.net', COVERAGE), 'unknown.example.net');
    });

    if (coverage !== events) {
      await test.test('each host only routes its own API', async () => {
        assertRefusedByProxy(await get(coverage, `${EVENTS}/`), 'events on the coverage host');
        for (const path of BESIDE_EVENTS) assertRefusedByProxy(await get(coverage, path), `${path} on the coverage host`);
        assertRefusedByProxy(await get(events, `${COVERAGE}/nodes/`), 'coverage on the events host');
      });
    }

    await test.test("a file above the proxy's default limit is imported, and exported again", async () => {
      const relation = randomUUID();
      const rows = Array.from({ length: FILE_ROWS }, (_, row) => `${relation},planned,"48.2, 16.3",${`${row}-`.padEnd(64, 'x')}\n`);
      const headers = { ...authorization, 'content-type': 'text/csv' };
      const path = `${COVERAGE}/nodes/import?target=prenodes`;
      const file = `relation_id,token,center,lot_id\n${rows.join('')}`;
      const { status, body } = await send({ method: 'POST', host: coverage, path, headers, body: file });
      assert.equal(status, 200, body);
      assert.equal(JSON.parse(body).created, FILE_ROWS);
      const exported = await get(coverage, `${COVERAGE}/nodes/export?format=ndjson&target=prenodes&relation_id=${relation}`, authorization);
      assert.equal(exported.body.trim().split('\n').length, FILE_ROWS);
    });

    await test.test('pages with the longest filters', async () => {
      const headers = { ...authorization, 'content-type': 'application/json' };
      // A character that takes twelve in a URL.
      const long = (length) => '𠮷'.repeat(length);
      const relation = { pip: long(255) };
      const node = { technology: long(64), address_id: long(64), customer_reference: long(255) };
      const post = async (path, record) => {
        const { status, body } = await send({
          method: 'POST',
          host: coverage,
          path: `${COVERAGE}/${path}`,
          headers,
          body: JSON.stringify(record),
        });
        assert.equal(status, 201, body);
      };
      for (let count = 0; count < 2; count++) {
        await post('relations/', { name: randomUUID(), ...relation });
        await post('nodes/', { relation_id: randomUUID(), token: 'planned', center: '48.2, 16.3', ...node });
      }
      for (const [path, filters] of Object.entries({ relations: relation, nodes: node })) {
        const query = new URLSearchParams({ ...filters, _page_size: '1' });
        const { status, headers: answered } = await get(coverage, `${COVERAGE}/${path}/?${query}`, authorization);
        assert.deepEqual([path, status], [path, 200]);
        assert.match(answered.link, /; rel=next/);
      }
    });

    await test.test('links use the public URL, whatever a client sends', async () => {
      await expectLink(get, coverage, `${COVERAGE}/nodes/`, authorization, coverage);
      await expectLink(get, events, `${EVENTS}/`, authorization, events);
    });
  });
}

root('without a public URL, links use the host and scheme of a trusted proxy', async (test) => {
  const manifests = render('one-host', 'common.env.TRUST_PROXY=loopback');
  const settings = settingsByService(manifests);
  for (const environment of settings.values()) delete environment.PUBLIC_BASE_URL;
  const { get, authorization, port } = await running(test, manifests, settings);

  for (const path of [`${COVERAGE}/nodes/`, `${EVENTS}/`])
    await expectLink(get, 'api.example.net', path, authorization, `api.example.net:${port}`);
});

/** Starts the issuer, services and proxy, which run until the end of the test. */
async function running(test, manifests, settings = settingsByService(manifests)) {
  const issuer = await startIssuer(test);
  const ports = await startServices(test, issuer, settings);
  const { get, send, port } = await startNginx(test, ofKind(manifests, 'Ingress')[0], ports);
  return { get, send, port, ports, authorization: { authorization: `Bearer ${await token(issuer)}` } };
}

/** Checks that a link leads to this host, whatever host the client claims. */
async function expectLink(get, host, path, authorization, expected) {
  const forged = { ...authorization, 'x-forwarded-host': 'forged.example', 'x-forwarded-proto': 'http' };
  const { status, headers } = await get(host, `${path}?_page_size=5`, forged);
  assert.deepEqual([status, headers.link], [200, `<https://${expected}${path}?_page_size=5>; rel=self`]);
}

/** Checks that the proxy rejected the request, not a service: services return problems, but nginx returns its own page. */
function assertRefusedByProxy({ status, headers }, what) {
  assert.equal(status, 404, what);
  assert.equal(headers['content-type'], 'text/html', what);
}
