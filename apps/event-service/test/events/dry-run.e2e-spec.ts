import { startTestService, type TestService } from '@fibre/testing';
import { eventService } from '../../src/event-service.js';
import {
  activation,
  deactivation,
  EVENTS,
  type Events,
  newEntity,
  newTenant,
  notification,
  READ_WRITE,
  sql,
  startEvents,
  update,
} from './events.js';

let open: Events;
/** A service that requires ISPs to be registered. */
let registered: TestService;

beforeAll(async () => {
  open = await startEvents({ NAMESPACES_ENABLED: 'true' });
  registered = await startTestService(eventService, { ISPS: 'registered', OAUTH_ISSUER: open.service.issuer.url });
});
afterAll(() => Promise.all([open.service, registered].map((service) => service.close())));

test('a dry run decides as the request itself does, and writes nothing', async () => {
  const { client, put, ids } = await newTenant(open.service);
  const dry = (body: object) => client.put(EVENTS).query({ dry_run: 'true' }).send(body);
  const entity = newEntity();
  const steps = [
    update(entity, 2),
    deactivation(entity, 2),
    activation(entity, 2),
    activation(entity, 2),
    activation(entity, 2, { comment: 'other' }),
    activation(entity, 2, { sys_attributes: { partner_id: newEntity(), article_codes: ['A'] } }),
    activation(entity, 1),
    update(entity, 3),
    deactivation(entity, 4),
    update(entity, 5),
    notification(entity, 9),
    notification(entity, 9),
    update(entity, 3, { event_at: '2999-01-01T00:00:00+01:00' }),
    update(entity, 3, { event_at: '2026-01-03T12:00:00Z', comment: 1, more: 1 }),
  ];
  const outcomes = new Map([
    [201, ['created', 'overwritten']],
    [200, ['repeated']],
  ]);
  const seen = new Set<string>();
  for (const body of steps) {
    const before = await ids();
    const [said, again] = [await dry(body), await dry(body)];
    expect([again.status, again.body.outcome]).toEqual([said.status, said.body.outcome]);
    expect(await ids()).toEqual(before);
    const real = await put(body);
    seen.add((said.body.outcome ?? said.body.code) as string);
    if (real.status >= 400) {
      const { request_id: _one, ...problem } = said.body;
      const { request_id: _other, ...expected } = real.body;
      // Each of them names its own current time.
      const timeless = (text: object) => JSON.stringify(text).replace(/current time, \S+/, '');
      expect([body, said.status, timeless(problem)]).toEqual([body, real.status, timeless(expected)]);
    } else {
      expect([body, said.status, Object.keys(said.body as object)]).toEqual([body, 200, ['outcome']]);
      expect([body, outcomes.get(real.status)]).toEqual([body, expect.arrayContaining([said.body.outcome])]);
      expect(said.headers['location']).toBeUndefined();
    }
  }
  expect([...seen].sort()).toEqual(
    ['created', 'event-in-future', 'event-order', 'event-time-taken', 'invalid-request', 'overwritten', 'repeated'].sort(),
  );
  expect((await client.put(EVENTS).query({ dry_run: 'yes' }).send(steps[0])).status).toBe(422);
  expect((await client.put(EVENTS).query({ dry_run: 'false' }).send(notification(newEntity(), 1))).status).toBe(201);
});

test('a dry run in a new namespace does not create it, and an unregistered ISP is refused', async () => {
  const tenant = 'ano.dry';
  const client = await open.service.as({ ...READ_WRITE, tenant });
  const response = await client.put(EVENTS).query({ dry_run: 'true' }).set('namespace', 'new').send(activation(newEntity(), 1));
  expect([response.status, response.body]).toEqual([200, { outcome: 'created' }]);
  expect(await sql(open.service.databaseUrl, 'select name from namespace where tenant = $1', [tenant])).toEqual([]);

  const strict = registered.anonymous().auth(await open.service.issuer.token(READ_WRITE), { type: 'bearer' });
  const send = (query: object) => strict.put(EVENTS).query(query).send(activation(newEntity(), 1));
  const [dry, real] = [await send({ dry_run: 'true' }), await send({})];
  expect([dry.status, dry.body.errors]).toEqual([422, real.body.errors]);
});
