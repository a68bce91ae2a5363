import { setTimeout as sleep } from 'node:timers/promises';
import {
  cloneDatabase,
  type ClonedDatabase,
  respondWith,
  type ServiceProcess,
  startServiceProcess,
  startTestIssuer,
  TEST_AUDIENCE,
  type TestIssuer,
  until,
  WebhookReceiver,
} from '@fibre/testing';
import { volume } from '@fibre/testing/volume';
import { ALL_SCOPES, newNode, type Node, NODES } from '../access-nodes/access-nodes.js';
import { sql } from '../database/sql.js';

const [REPLICAS, KILLS] = volume([1, 1], [2, 2]);

const [OK, FAULT] = [respondWith(204), respondWith(500)];

let issuer: TestIssuer;
let database: ClonedDatabase;
let receiver: WebhookReceiver;
let replicas: ServiceProcess[];
let headers: Record<string, string>;

beforeAll(async () => {
  [issuer, database, receiver] = await Promise.all([startTestIssuer(), cloneDatabase(), new WebhookReceiver().start()]);
  headers = { authorization: `Bearer ${await issuer.token({ scope: ALL_SCOPES })}`, 'content-type': 'application/json' };
  replicas = await startReplicas();
});
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.kill()));
  await Promise.all([issuer.close(), database.drop(), receiver.stop()]);
});

const start = (): Promise<ServiceProcess> =>
  startServiceProcess('coverage-service', {
    DATABASE_URL: database.url,
    OAUTH_ISSUER: issuer.url,
    OAUTH_AUDIENCE: TEST_AUDIENCE,
    REQUEST_DEADLINE_SECONDS: '1',
    SETTLE_SECONDS: '2',
  });

const startReplicas = (): Promise<ServiceProcess[]> => Promise.all(Array.from({ length: REPLICAS }, start));

/** Sends to a replica that responds; for a moment there may be none. */
const post = <T>(path: string, body: object): Promise<T> =>
  until('a replica to respond', async () => {
    for (const { url } of replicas) {
      const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) }).catch(() => undefined);
      if (response?.status === 201) return (await response.json()) as T;
    }
    return undefined;
  });

test('changes arrive in order, and repeats keep their id, even if the sender is killed during batches and the receiver fails', async () => {
  const { secret } = await post<{ secret: string }>('/v2/cov/webhooks/', { url: receiver.urlOf(), feed: 'nodes' });
  receiver.secrets.push(secret);
  const created: string[] = [];
  let isWriting = true;
  const writer = (async () => {
    while (isWriting) {
      created.push((await post<Node>(`${NODES}?target=nodes`, newNode())).node_id);
      await sleep(50);
    }
  })();

  let kills = 0;
  let requests = 0;
  let isKilling = false;
  receiver.respond = (response) => {
    if (++requests % 3 === 0) return FAULT(response);
    if (kills === KILLS || isKilling) return setTimeout(() => OK(response), 50);
    isKilling = true;
    // The kill comes while the sender waits for this response, or just after the sender has received it.
    if (kills % 2 === 1) OK(response);
    return void killSender().finally(() => (isKilling = false));
  };
  /** Which replica sends is random, so all are killed. Their leases are then ended, because they would take half a minute to expire. */
  const killSender = async (): Promise<void> => {
    kills++;
    await Promise.all(replicas.map((replica) => replica.kill()));
    await sql(database.url, 'update webhook set due_at = now()');
    replicas = await startReplicas();
  };
  await until('the kills', () => kills === KILLS && !isKilling);
  await sleep(2_000);
  isWriting = false;
  await writer;
  // A request that a kill interrupted may have created one more node.
  const lost = (): string[] => {
    const arrived = new Set(receiver.accepted.flatMap(({ events }) => events).map(({ subject }) => subject));
    return created.filter((id) => !arrived.has(id));
  };
  await until('all changes to arrive in batches that were accepted', () => lost().length === 0);
  expect(receiver.faults()).toEqual([]);
  expect(receiver.batches.length).toBeGreaterThan(new Set(receiver.batches.map(({ id }) => id)).size);
  // A failed batch is repeated after a few seconds.
}, 300_000);
