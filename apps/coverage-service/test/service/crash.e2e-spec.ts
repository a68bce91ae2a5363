import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeEmbeddedPostgres } from '@fibre/embedded-postgres';
import { isReady, type ServiceProcess, startServiceProcess, startTestIssuer, TEST_AUDIENCE, type TestIssuer, until } from '@fibre/testing';
import { ALL_SCOPES, newNode, type Node, NODES } from '../access-nodes/access-nodes.js';

const CLIENTS = 16;
/** Number of creations to acknowledge before the kill, while more are still running. */
const ENOUGH = 60;

let issuer: TestIssuer;
let dataDir: string;
let service: ServiceProcess;
let authorization: string;

beforeAll(async () => {
  issuer = await startTestIssuer();
  dataDir = mkdtempSync(join(tmpdir(), 'coverage-crash-'));
  // If we are root, PostgreSQL runs as nobody, and without this permission it would store its data elsewhere.
  chmodSync(dataDir, 0o755);
  authorization = `Bearer ${await issuer.token({ scope: ALL_SCOPES })}`;
  service = await start();
});
afterAll(async () => {
  await service.stop();
  await issuer.close();
  await removeEmbeddedPostgres(databaseRoot());
  rmSync(dataDir, { recursive: true });
});

const start = (): Promise<ServiceProcess> =>
  startServiceProcess('coverage-service', { DATA_DIR: dataDir, OAUTH_ISSUER: issuer.url, OAUTH_AUDIENCE: TEST_AUDIENCE });
const databaseRoot = (): string => join(dataDir, 'coverage-service');
const call = (path: string, init: RequestInit = {}) =>
  fetch(`${service.url}${path}`, { ...init, headers: { authorization, 'content-type': 'application/json' } });

interface Outcome {
  readonly acknowledged: Node[];
  /** References whose creation got an error or no response: the nodes may or may not exist. */
  readonly open: string[];
  readonly refusals: Set<number>;
}

/** Creates nodes from several clients at once until `blow` is done and each client has had one more response, or failed to get one. */
async function createUntil(relation_id: string, blow: () => Promise<unknown>): Promise<Outcome> {
  const outcome: Outcome = { acknowledged: [], open: [], refusals: new Set() };
  let fallen: Promise<unknown> | undefined;
  let hasFallen = false;
  const client = async (): Promise<void> => {
    for (;;) {
      const customer_reference = randomUUID();
      const answer = await call(NODES, { method: 'POST', body: JSON.stringify(newNode({ relation_id, customer_reference })) })
        .then(async (response) => ({ status: response.status, body: (await response.json()) as Node }))
        .catch(() => undefined);
      if (answer?.status !== 201) {
        outcome.open.push(customer_reference);
        if (answer) outcome.refusals.add(answer.status);
        return;
      }
      outcome.acknowledged.push(answer.body);
      if (hasFallen) return;
      if (outcome.acknowledged.length >= ENOUGH) fallen ??= blow().then(() => (hasFallen = true));
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  await fallen;
  return outcome;
}

async function expectNothingLost(relation_id: string, { acknowledged, open }: Outcome): Promise<void> {
  expect(acknowledged.length).toBeGreaterThanOrEqual(ENOUGH);
  for (const node of acknowledged) {
    const answer = await call(`${NODES}${node.node_id}`);
    expect([answer.status, await answer.json()]).toEqual([200, node]);
  }
  const listed = (await (await call(`${NODES}?relation_id=${relation_id}&_page_size=2000`)).json()) as Node[];
  expect(new Set(listed.map(({ customer_reference }) => customer_reference)).size).toBe(listed.length);
  const known = new Set([...acknowledged.map(({ customer_reference }) => customer_reference), ...open]);
  expect(listed.filter(({ customer_reference }) => !known.has(customer_reference))).toEqual([]);
  expect(listed.length).toBeGreaterThanOrEqual(acknowledged.length);
}

test('a killed service has kept every node it acknowledged', async () => {
  const relation_id = randomUUID();
  const outcome = await createUntil(relation_id, () => service.kill());
  service = await start();
  await expectNothingLost(relation_id, outcome);
});

test('a killed database has every acknowledged node after a restart, and no response was a 500', async () => {
  const relation_id = randomUUID();
  const postmaster = Number(readFileSync(join(databaseRoot(), 'pgdata/postmaster.pid'), 'utf8').split('\n')[0]);
  const outcome = await createUntil(relation_id, () => Promise.resolve(process.kill(postmaster, 'SIGKILL')));
  expect([...outcome.refusals].filter((status) => status !== 503)).toEqual([]);
  expect((await call('/health/live')).status).toBe(200);
  await until('no readiness', async () => !(await isReady(`${service.url}/health/ready`)));
  await service.stop();
  service = await start();
  await expectNothingLost(relation_id, outcome);
});
