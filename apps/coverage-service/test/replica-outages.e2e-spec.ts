import { until } from '@fibre/testing';
import { create, list, newNode, NODES } from './access-nodes.js';
import { createAndLook, metric, readsBy, type Replicated, seenBy, startReplicated, untilReadsAre } from './replicated-service.js';

let replicated: Replicated;
beforeAll(async () => (replicated = await startReplicated()));
afterAll(() => replicated.close());

const untilUsed = () => Promise.all(replicated.instances.map((instance) => untilReadsAre(instance, 'replica', 'current')));
const untilNotUsed = (reason: string) => Promise.all(replicated.instances.map((instance) => untilReadsAre(instance, 'primary', reason)));

/** Clients that write and read all the time, while something happens; what they meet fails the test. */
async function whileClientsWork(work: () => Promise<void>): Promise<void> {
  const { strict, patient } = replicated;
  let isDone = false;
  const pairs = [
    [strict, patient],
    [patient, strict],
  ] as const;
  const clients = pairs.map(async ([writer, reader]) => {
    while (!isDone) await createAndLook(writer, reader);
  });
  await Promise.all([work().finally(() => (isDone = true)), ...clients]);
}

test('a standby that is killed and comes back: no client notices', async () => {
  const { servers } = replicated;
  await untilUsed();
  await whileClientsWork(async () => {
    await servers.standby.kill();
    await untilNotUsed('unreachable');
    await servers.standby.start();
    await untilUsed();
  });
});

test('a standby that falls silent, as behind a firewall that drops packets: no client notices', async () => {
  const { relay } = replicated;
  await untilUsed();
  await whileClientsWork(async () => {
    relay.fallSilent();
    await untilNotUsed('unreachable');
    await relay.mend();
    await untilUsed();
  });
});

test('a standby that falls silent while it has a listing to answer: the primary answers it', async () => {
  const { relay, instances } = replicated;
  for (const instance of instances) {
    await untilUsed();
    const before = await readsBy(instance, 'primary', 'unreachable');
    relay.fallSilent('access-nodes-page');
    // A request that waits for the standby until its deadline fails.
    await list(instance.client, { _page_size: 1 });
    expect(await readsBy(instance, 'primary', 'unreachable')).toBeGreaterThan(before);
    await relay.mend();
  }
  await untilUsed();
});

test('while the primary is down the replica answers reads, as long as it cannot be farther behind than it may', async () => {
  const { servers, strict, patient } = replicated;
  const node = await createAndLook(strict, patient);
  await until('the replica to have it', async () => {
    const rows = await servers.standby.query('coverage', `select from access_node where node_id = '${node.node_id}'`);
    return rows.length > 0;
  });
  await servers.primary.kill();
  await untilReadsAre(patient, 'replica', 'primary-away');
  expect(await seenBy(patient, node)).toEqual({ listed: [node.node_id], found: [node.node_id] });
  await patient.client.post(NODES).send(newNode()).expect(503);
  await until('reads to be refused', async () => (await strict.client.get(NODES)).status === 503);
  await until('the replica not to be in use', async () => (await metric(strict, 'in_use')) === 0);

  await servers.primary.start();
  await until('writes to be possible', async () => (await patient.client.post(NODES).send(newNode())).status === 201);
  await untilUsed();
  await createAndLook(strict, patient);
});

test('a standby that was promoted is not read from, whatever is written there, and is used again when it is a standby again', async () => {
  const { servers, instances, strict } = replicated;
  const node = await create(strict.client);
  await servers.standby.query('postgres', 'select pg_promote()');
  await servers.standby.query('coverage', 'delete from access_node');
  await untilNotUsed('promoted');
  for (const instance of instances) {
    expect((await seenBy(instance, node)).listed).toEqual([node.node_id]);
    expect(await metric(instance, 'in_use')).toBe(0);
  }
  await servers.renewStandby();
  await untilUsed();
  for (const instance of instances) expect((await seenBy(instance, node)).listed).toEqual([node.node_id]);
});
