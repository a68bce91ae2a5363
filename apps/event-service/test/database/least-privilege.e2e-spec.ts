import { migrateDatabase } from '@fibre/server';
import { createLeastPrivilegeDatabase, type LeastPrivilegeDatabase, startTestService, type TestService } from '@fibre/testing';
import { eventService } from '../../src/event-service.js';
import { NamespaceCleanUp } from '../../src/namespaces/namespace-clean-up.js';
import { registryOf } from '../isps/isps.js';
import { activation, deactivation, newEntity, PARTNER, READ_WRITE, requestsOf } from '../events/events.js';

const A_YEAR_MS = 366 * 24 * 60 * 60 * 1_000;

let database: LeastPrivilegeDatabase;
let service: TestService | undefined;

afterAll(() => (service ?? database).close());

test('one of the roles in docs/operations.md runs the migrations, and every operation works with the other role', async () => {
  database = await createLeastPrivilegeDatabase();
  await expect(migrateDatabase(eventService, database.serveUrl)).rejects.toThrow('permission denied for schema public');
  await expect(migrateDatabase(eventService, database.migrateUrl)).resolves.not.toEqual([]);
  await expect(migrateDatabase(eventService, database.migrateUrl)).resolves.toEqual([]);

  service = await startTestService(
    eventService,
    { MIGRATE_ON_START: 'false', ISPS: 'registered' },
    { url: database.serveUrl, drop: () => database.close() },
  );
  const client = await service.as(READ_WRITE);
  const entity = newEntity();
  for (const headers of [{}, { namespace: 'some' }] as Record<string, string>[]) {
    const [{ put, get }, isps] = [requestsOf(client, headers), registryOf(client, headers)];
    const { partner_id } = (await isps.post()).body;
    expect([(await isps.put(PARTNER)).status, (await isps.put(PARTNER)).status, (await isps.get()).body.length]).toEqual([201, 200, 2]);
    const created = await put(activation(entity, 1));
    expect([created.status, (await put(activation(entity, 1))).status]).toEqual([201, 200]);
    expect((await put(activation(entity, 1, { comment: 'corrected' }))).status).toBe(201);
    expect((await put(deactivation(entity, 2))).status).toBe(201);
    expect((await put(deactivation(entity, 3))).status).toBe(409);
    expect((await get(`${created.body.event_id}/`)).status).toBe(200);
    expect((await get(`?entity_id=${entity}`)).body).toHaveLength(2);
    expect((await get(`latest/?entity_id=${entity}`)).body).toHaveLength(1);
    expect([(await isps.remove(partner_id)).status, (await isps.remove(PARTNER)).status]).toEqual([204, 409]);
  }
  expect(await service.app.get(NamespaceCleanUp).run(Date.now() + A_YEAR_MS)).toBeGreaterThan(0);
});
