import { ReplicatedPostgres, startTestService, type TestService, until } from '@fibre/testing';
import { eventService } from '../src/event-service.js';
import { activation, newEntity, READ_WRITE } from './events.js';
import { type Replica, startReplica } from './replicas.js';
import { clientOf } from './traffic.js';

let servers: ReplicatedPostgres;
let writing: TestService;
let reading: Replica;

beforeAll(async () => {
  servers = await ReplicatedPostgres.start('events');
  const settings = { DATABASE_REPLICA_URL: servers.standbyUrl };
  writing = await startTestService(eventService, settings, { url: servers.primaryUrl, drop: () => Promise.resolve() });
  reading = await startReplica(writing, settings);
});
afterAll(async () => {
  await Promise.all([reading.close(), writing.close()]);
  await servers.close();
});

const byReplica = /^db_replica_reads_total\{pool="replica",reason="current"\} [1-9]/m;

test('an event is in both lists as soon as it was answered, whichever instance is asked', async () => {
  const token = await writing.issuer.token(READ_WRITE);
  const [{ put }, { get }] = [clientOf(writing.url, token), clientOf(reading.url, token)];
  const recordAndList = async (): Promise<void> => {
    const entity_id = newEntity();
    const { event_id } = (await put(activation(entity_id, 1))).body as { event_id: string };
    for (const list of ['', 'latest/']) expect((await get(`${list}?entity_id=${entity_id}`)).body).toMatchObject([{ event_id }]);
  };
  for (let round = 0; round < 25; round++) await Promise.all([1, 2, 3, 4].map(recordAndList));
  await until('the replica to answer', async () => {
    await recordAndList();
    return byReplica.test(await (await fetch(`${reading.url}/metrics`)).text());
  });
});
