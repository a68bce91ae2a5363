import { join } from 'node:path';
import { recordSql, startTestService, type TestService, unrequestedOperations, until } from '@fibre/testing';
import { eventService } from '../../src/event-service.js';
import { PersonalDataCleanUp } from '../../src/entities/personal-data-clean-up.js';
import { NamespacesRepository } from '../../src/namespaces/namespaces.repository.js';
import { RefusedEventsCleanUp } from '../../src/refused-events/refused-events-clean-up.js';
import {
  activation,
  deactivation,
  ENTITIES,
  type Events,
  EVENTS,
  newEntity,
  notification,
  PARTNER,
  READ_WRITE,
  requestsOf,
  sql,
  startEvents,
  update,
} from '../events/events.js';
import { ISPS, newName } from '../isps/isps.js';
import { billingOf, CLOSINGS, PERIODS, SETTLED_SOON } from '../billing/periods.js';

let open: Events;
/** A service that requires ISPs to be registered. */
let other: TestService;

beforeAll(async () => {
  open = await startEvents({ ...SETTLED_SOON, NAMESPACES_ENABLED: 'true', ERASE_AFTER_MONTHS: '1' });
  other = await startTestService(eventService, { ISPS: 'registered', OAUTH_ISSUER: open.service.issuer.url });
});
afterAll(() => Promise.all([open.service, other].map((service) => service.close())));

const CHARGES = '/api/v2/sys/charges/';
const REFUSED = `${EVENTS}refused/`;
const MONTH = { from: '2026-01-01', to: '2026-02-01' };

// On Citus, some statements are different.
const withoutCitus = process.env.CITUS_URL ? test.skip : test;

withoutCitus('every statement matches its snapshot, which UPDATE_SQL=1 writes, and every operation is requested', async () => {
  const { client, put, get } = open;
  const registered = requestsOf(other.anonymous().auth(await open.service.issuer.token(READ_WRITE), { type: 'bearer' }));
  const next = async (path: string, query: Record<string, string>) => {
    const { headers } = await client.get(path).query({ ...query, _page_size: '1' });
    await client.get(/<https?:\/\/[^/]+([^>]+)>; rel="?next/.exec(headers['link'] as string)![1]!);
  };
  const entity = newEntity();
  const snapshots = await recordSql(join(import.meta.dirname, '../../src'), {
    events: async () => {
      for (const body of [activation(entity, 1), update(entity, 3), update(entity, 2), notification(entity, 4), deactivation(entity, 5)])
        await put(body);
      const { body } = await put(update(entity, 2, { comment: 'changed' }));
      await get(body.event_id as string);
      await put(activation(newEntity(), 1));
      await registered.put(activation(newEntity(), 1));
      // It is refused, and stored a moment later.
      await until('the refused event', async () => (await sql(other.databaseUrl, 'select 1 from refused_event')).length === 1);
    },
    'event-lists': async () => {
      for (const path of [EVENTS, `${EVENTS}latest`]) {
        await next(path, {});
        for (const token of ['fresh', 'untouched', 'completed']) await client.get(path).query({ token });
        await client.get(path).query({ created_by: 'anna', modified_by: 'bert' });
        await client.get(path).query({ event_type: 'update', partner_id: PARTNER });
        await client.get(path).query({ recorded_from: '2026-01-01T00:00:00Z', recorded_until: '2026-02-01T00:00:00Z' });
        await client.get(path).query({ period: '2026-01-01', period_end: '2026-02-01', entity_id: entity });
      }
      await next(EVENTS, { _order: 'desc' });
      await next(EVENTS, { with_subscription: 'true' });
      for (const format of ['csv', 'ndjson']) await client.get(`${EVENTS}export`).query({ format, period: '2026-01-01' });
    },
    entities: async () => {
      const at = '2026-01-02T12:00:00+01:00';
      await client.get(`${ENTITIES}${entity}`);
      await client.get(`${ENTITIES}${entity}`).query({ at });
      await next(ENTITIES, {});
      for (const query of [{ state: 'active', partner_id: PARTNER }, { article_code: 'FIBRE-100' }, { at }])
        await client.get(ENTITIES).query(query);
      const eraser = await open.service.as({ scope: 'events:erase' });
      for (const line of ['false', 'true']) await eraser.delete(`${ENTITIES}${entity}/personal-data`).query({ line });
      await open.service.app.get(PersonalDataCleanUp).run();
    },
    'refused-events': async () => {
      await put(update(newEntity(), 1));
      await until('the refused event', async () => (await client.get(REFUSED)).text.includes('event-order'));
      await put(update(newEntity(), 1));
      await until('two refused events', async () =>
        (await client.get(REFUSED).query({ _page_size: '1' })).headers['link']?.includes('next'),
      );
      for (const _order of ['asc', 'desc']) await next(REFUSED, { _order });
      await client.get(REFUSED).query({ entity_id: entity });
      await open.service.app.get(RefusedEventsCleanUp).run();
    },
    'event-changes': () => client.get(`${EVENTS}changes/`).query({ entity_id: entity, event_type: 'update' }).then(),
    overview: async () => {
      await client.get('/api/v2/sys/overview/');
      await client.get('/api/v2/sys/overview/trend/').query({ months: '2' });
    },
    find: () => client.get('/api/v2/sys/find/').query({ q: entity }).then(),
    periods: async () => {
      await (await billingOf(open.service, 'ano.test')).settle();
      await client.get(PERIODS).query(MONTH);
      await client.get(PERIODS).query({ ...MONTH, entity_id: entity, partner_id: PARTNER, article_code: 'FIBRE-100' });
      await next(PERIODS, MONTH);
      await client.get(`${PERIODS}corrections`).query({ ...MONTH, recorded_from: '2026-01-01T00:00:00Z' });
      for (const format of ['csv', 'ndjson']) await client.get(`${PERIODS}export`).query({ format, ...MONTH });
      await next(`${PERIODS}totals`, MONTH);
      for (const format of ['csv', 'ndjson']) await client.get(`${PERIODS}totals/export`).query({ format, ...MONTH });
    },
    closings: async () => {
      for (let closing = 0; closing < 2; closing++)
        await client
          .post(CLOSINGS)
          .set('idempotency-key', String(closing))
          .send({ ...MONTH, partner_id: PARTNER });
      await client.post(CLOSINGS).send(MONTH);
      for (const _order of ['asc', 'desc']) await next(CLOSINGS, { partner_id: PARTNER, _order });
      const { body } = await client.get(CLOSINGS);
      await client.get(`${CLOSINGS}${body[0].closing_id}/`);
    },
    isps: async () => {
      const { body } = await client.post(ISPS).send({ name: newName() });
      const path = `${ISPS}${body.partner_id}/`;
      await client.put(path).send({ name: newName() });
      await client.put(`${ISPS}${newEntity()}/`).send({ name: newName() });
      await client.get(path);
      for (const _order of ['asc', 'desc']) await next(ISPS, { _order });
      await client.delete(path);
    },
    charges: async () => {
      await client.post(ISPS).send({ name: newName(), isp_tenant: 'isp.test' });
      const isp = await open.service.as({ tenant: 'isp.test', scope: 'charges:read' });
      for (const path of ['', 'totals/']) await isp.get(`${CHARGES}${path}`).query(MONTH);
      await isp.get(`${CHARGES}corrections/`).query({ ...MONTH, recorded_from: '2026-01-01T00:00:00Z' });
      const { body } = await isp.get(`${CHARGES}closings/`);
      await isp.get(`${CHARGES}closings/${body[0].closing_id}/`);
    },
    lines: async () => {
      const operators = [client, await open.service.as({ ...READ_WRITE, tenant: 'ano.other' })];
      for (const operator of operators) {
        const { body } = await operator.post(ISPS).send({ name: newName(), isp_tenant: 'isp.lines' });
        const sys_attributes = { partner_id: body.partner_id as string, article_codes: ['A'] };
        await operator.put(EVENTS).send(activation(newEntity(), 1, { sys_attributes }));
      }
      const isp = await open.service.as({ tenant: 'isp.lines', scope: 'charges:read' });
      const { headers } = await isp.get(`${CHARGES}lines/`).query({ _page_size: '1' });
      await isp.get(/<https?:\/\/[^/]+([^>]+)>; rel="?next/.exec(headers['link'] as string)![1]!);
      const tenant = 'ano.other';
      await isp
        .get(`${CHARGES}lines/`)
        .query({ tenant, at: '2026-01-02T12:00:00Z', option82: 'a', partner_reference: 'b', article_code: 'A' });
      await isp.get(`${CHARGES}lines/`).query({ tenant, entity_id: entity });
      for (const format of ['csv', 'ndjson']) await isp.get(`${CHARGES}lines/export`).query({ format, tenant });
      const [{ partner_id }] = (await operators[1]!.get(ISPS)).body;
      await operators[1]!.put(`${ISPS}${partner_id}/`).send({ name: newName() });
      await isp.get(`${CHARGES}lines/changes/`);
    },
    namespaces: async () => {
      await client.put(EVENTS).set('namespace', 'test').send(activation(newEntity(), 1));
      await client.get(EVENTS).set('namespace', 'other');
      const namespaces = open.service.app.get(NamespacesRepository);
      while (await namespaces.cleanUpStep(new Date(Date.now() + 1_000)));
    },
  });
  // An operation in this list needs a request above, under the name of its folder.
  expect(await unrequestedOperations(join(import.meta.dirname, '../..'), [open.service, other])).toEqual([]);
  for (const { file, committed, sent } of snapshots) expect([file, sent]).toEqual([file, committed]);
});
