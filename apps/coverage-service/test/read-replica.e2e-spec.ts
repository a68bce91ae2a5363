import { until } from '@fibre/testing';
import { create, idsOf, newNode, NODES } from './access-nodes.js';
import {
  createAndLook,
  metric,
  metricsOf,
  readsBy,
  type Replicated,
  seenBy,
  startReplicated,
  untilReadsAre,
} from './replicated-service.js';

let replicated: Replicated;
beforeAll(async () => (replicated = await startReplicated()));
afterAll(() => replicated.close());

/** Each does so many rounds, all of them at once. */
const CALLERS = 8;
const ROUNDS = 25;

const replay = async (verb: 'pause' | 'resume'): Promise<void> => {
  const { standby } = replicated.servers;
  const state = verb === 'pause' ? 'paused' : 'not paused';
  await standby.query('postgres', `select pg_wal_replay_${verb}()`);
  await until(`replay to be ${state}`, async () => {
    const [row] = await standby.query('postgres', 'select pg_get_wal_replay_pause_state() as state');
    return row!.state === state;
  });
};

test('the replica answers listings and searches; single nodes and every write belong to the primary', async () => {
  const { patient } = replicated;
  await untilReadsAre(patient, 'replica', 'current');
  const metrics = await metricsOf(patient);
  for (const pool of ['primary', 'replica'])
    expect(metrics).toMatch(new RegExp(`^db_pool_idle_connections\\{pool="${pool}"\\} [1-9]`, 'm'));

  const reads = async () => (await metricsOf(patient)).match(/^db_replica_reads_total.*$/gm);
  const before = await reads();
  const { node_id } = await create(patient.client);
  await patient.client.get(`${NODES}${node_id}`).expect(200);
  await patient.client.patch(`${NODES}${node_id}`).send({ token: 'operation' }).expect(200);
  await patient.client.delete(`${NODES}${node_id}`).expect(204);
  expect(await reads()).toEqual(before);
});

test('what one instance has acknowledged is in every later listing and search of any, hundreds of times under load', async () => {
  const { instances } = replicated;
  const before = await Promise.all(instances.map((instance) => readsBy(instance, 'replica', 'current')));
  await Promise.all(
    Array.from({ length: CALLERS }, async (_, caller) => {
      const [writer, reader] = caller % 2 ? [instances[0]!, instances[1]!] : [instances[1]!, instances[0]!];
      for (let round = 0; round < ROUNDS; round++) {
        const node = await createAndLook(writer, reader);
        await writer.client.delete(`${NODES}${node.node_id}`).expect(204);
        expect(await seenBy(reader, node)).toEqual({ listed: [], found: [] });
      }
    }),
  );
  const after = await Promise.all(instances.map((instance) => readsBy(instance, 'replica', 'current')));
  for (const [index, count] of after.entries()) expect(count).toBeGreaterThan(before[index]!);
});

test('while replay stands still the primary answers, and beyond the bound nobody asks the replica; then it is used again', async () => {
  const { strict, patient, instances } = replicated;
  await replay('pause');
  const before = await readsBy(patient, 'primary', 'behind');
  for (let round = 0; round < 20; round++) {
    await createAndLook(strict, patient);
    await createAndLook(patient, strict);
  }
  expect(await readsBy(patient, 'primary', 'behind')).toBeGreaterThan(before);

  await untilReadsAre(strict, 'primary', 'lag');
  expect(await metric(strict, 'lag_seconds')).toBeGreaterThan(1);
  await until('the patient instance to know the lag', async () => (await metric(patient, 'lag_seconds')) > 1);
  for (const instance of instances) expect(await metric(instance, 'in_use')).toBe(0);
  expect(await readsBy(patient, 'primary', 'lag')).toBe(0);

  await replay('resume');
  for (const instance of instances) {
    await untilReadsAre(instance, 'replica', 'current');
    await until('no lag', async () => (await metric(instance, 'lag_seconds')) === 0);
  }
});

test('a primary that writes nothing makes no lag', async () => {
  const { strict, servers } = replicated;
  await until('the last write to be older than the bound', async () => {
    const age = 'extract(epoch from now() - pg_last_xact_replay_timestamp())::float8';
    const [row] = await servers.standby.query<{ age: number }>('postgres', `select ${age} as age`);
    return row!.age > 3;
  });
  await untilReadsAre(strict, 'replica', 'current');
  await until('no lag', async () => (await metric(strict, 'lag_seconds')) === 0);
});

test('a walk through pages that changes servers misses nothing that was there when it began', async () => {
  const { patient } = replicated;
  const { relation_id } = newNode() as { relation_id: string };
  const nodes = [];
  for (let count = 0; count < 6; count++) nodes.push(await create(patient.client, { relation_id }));
  const first = await patient.client.get(NODES).query({ relation_id, _page_size: 3 }).expect(200);
  await replay('pause');
  await create(patient.client, { relation_id });
  const next = /<([^>]*)>; rel=next/.exec(first.headers.link!)![1]!;
  const second = await patient.client.get(new URL(next).pathname + new URL(next).search).expect(200);
  await replay('resume');
  expect(idsOf([...first.body, ...second.body])).toEqual(idsOf(nodes));
});
