import {
  AUTHOR,
  authorsOfWrites,
  naming,
  type Prepare,
  type RawResponse,
  readEverything,
  startTestService,
  tablesWithoutAuthors,
  type TestService,
  until,
  WebhookReceiver,
  webhookWrites,
} from '@fibre/testing';
import type { OpenAPIObject } from '@nestjs/swagger';
import { PersonalDataCleanUp } from '../../src/entities/personal-data-clean-up.js';
import { eventService } from '../../src/event-service.js';
import { CLOSINGS, SETTLED_SOON } from '../billing/periods.js';
import { activation, deactivation, ENTITIES, EVENTS, newEntity, notification, PARTNER, sql, update } from '../events/events.js';
import { ISPS, newName } from '../isps/isps.js';

type Client = Awaited<ReturnType<TestService['as']>>;
type Shown = Readonly<Record<'created_by' | 'modified_by', string | undefined>>;

const SCOPE = 'events:read events:write events:erase closings:write charges:read';
const WEBHOOKS = '/api/v2/sys/webhooks/';
const MONTH = { from: '2026-01-01', to: '2026-02-01' };

let service: TestService;
let receiver: WebhookReceiver;
let document: OpenAPIObject;
let ano: Client;

beforeAll(async () => {
  receiver = await new WebhookReceiver().start();
  service = await startTestService(eventService, { ...SETTLED_SOON, NAMESPACES_ENABLED: 'true', ERASE_AFTER_MONTHS: '1' });
  document = (await service.anonymous().get(`${EVENTS}openapi.json`)).body as OpenAPIObject;
  ano = await service.as({ scope: SCOPE });
});
afterAll(async () => {
  await service.close();
  await receiver.stop();
});

/** A client of a person with this name. */
const person = (preferred_username: string, tenant = 'ano.test'): Promise<Client> =>
  service.as({ tenant, scope: SCOPE, claims: { preferred_username } });
const authorsOf = ({ body }: { body: unknown }) => [(body as Shown).created_by, (body as Shown).modified_by];
const newIsp = async (): Promise<string> => `${ISPS}${(await ano.post(ISPS).send({ name: newName() })).body.partner_id}/`;

const WRITES: Record<string, Prepare> = {
  recordEvent: async () => {
    const entity = newEntity();
    await ano.put(EVENTS).send(activation(entity, 1));
    return (by) => by.put(EVENTS).send(update(entity, 2));
  },
  erasePersonalData: async () => {
    const entity = newEntity();
    await ano.put(EVENTS).send(activation(entity, 1, { comment: 'secret' }));
    return (by) => by.delete(`${ENTITIES}${entity}/personal-data`);
  },
  createIsp: () => (by) => by.post(ISPS).send({ name: newName(), isp_tenant: 'isp.written' }),
  putIsp: async () => {
    const url = await newIsp();
    return (by) => by.put(url).send({ name: newName() });
  },
  deleteIsp: async () => {
    const url = await newIsp();
    return (by) => by.delete(url);
  },
  createClosing: () => (by) => by.post(CLOSINGS).send(MONTH),
  ...webhookWrites(WEBHOOKS, 'events', () => ano),
};

test('every operation that writes leaves its author on what it wrote, and on nothing else', async () => {
  expect(await authorsOfWrites(service, document, SCOPE, WRITES)).toEqual({
    recordEvent: ['event.created_by'],
    erasePersonalData: ['event.modified_by'],
    createIsp: ['isp.created_by', 'isp.modified_by'],
    putIsp: ['isp.modified_by'],
    createClosing: ['closing.created_by'],
    createWebhook: ['webhook.created_by', 'webhook.modified_by'],
    updateWebhook: ['webhook.modified_by'],
    rotateWebhookSecret: ['webhook.modified_by'],
    // What is gone names nobody; the log line does.
    deleteIsp: [],
    deleteWebhook: [],
    testWebhook: [],
  });
  // What follows from events and ISPs, and migrations.
  expect(await tablesWithoutAuthors(service.databaseUrl)).toEqual([
    'isp_access',
    'line_change',
    'migrations',
    'namespace',
    'refused_event',
    'timeline',
  ]);
});

test.each([undefined, 'trial'])(
  'an event names who recorded it and who overwrote it, and a repeat changes nothing (namespace %s)',
  async (namespace) => {
    const [anna, bert, carl] = [await person('anna'), await person('bert'), await person('carl')];
    const put = (by: Client, body: object) =>
      by
        .put(EVENTS)
        .set(namespace ? { namespace } : {})
        .send(body);
    const entity = newEntity();
    const event = activation(entity, 1, { comment: 'one' });
    const recorded = await put(anna, event);
    expect([recorded.status, ...authorsOf(recorded)]).toEqual([201, 'anna', undefined]);
    const repeated = await put(bert, event);
    expect([repeated.status, repeated.text]).toEqual([200, recorded.text]);
    const overwritten = await put(bert, { ...event, comment: 'two' });
    expect([overwritten.status, ...authorsOf(overwritten)]).toEqual([201, 'anna', 'bert']);
    expect((await put(carl, { ...event, comment: 'two' })).text).toBe(overwritten.text);
    await carl
      .put(EVENTS)
      .query({ dry_run: 'true' })
      .send({ ...event, comment: 'three' });
    await put(carl, update(entity, 2));

    const found = async (path: string, query: object): Promise<number> => {
      const answer = await ano
        .get(`${EVENTS}${path}`)
        .set(namespace ? { namespace } : {})
        .query({ entity_id: entity, ...query });
      return path === 'export' ? answer.text.trimEnd().split('\r\n').length - 1 : (answer.body as object[]).length;
    };
    for (const path of ['', 'latest', 'export']) {
      const counts = [
        { created_by: 'anna' },
        { modified_by: 'bert' },
        { created_by: 'carl', modified_by: 'bert' },
        { created_by: 'nobody' },
      ];
      expect([path, ...(await Promise.all(counts.map((query) => found(path, query))))]).toEqual([path, 1, 1, 0, 0]);
    }
    expect(await found('latest', { created_by: 'anna', period: '2026-01-01', token: 'completed' })).toBe(0);
    expect((await ano.get(EVENTS).query({ created_by: '', modified_by: 'x'.repeat(256) })).body.errors).toHaveLength(2);
  },
);

test('whoever erases is named, and the service itself leaves no name', async () => {
  const [anna, bert] = [await person('anna'), await person('bert')];
  const entity = newEntity();
  const { body } = await anna.put(EVENTS).send(activation(entity, 1, { comment: 'secret' }));
  const read = () => ano.get(`${EVENTS}${body.event_id}`);
  await bert.delete(`${ENTITIES}${entity}/personal-data`).expect(204);
  expect(authorsOf(await read())).toEqual(['anna', 'bert']);
  await (await person('carl')).delete(`${ENTITIES}${entity}/personal-data`).expect(204);
  expect(authorsOf(await read())).toEqual(['anna', 'bert']);

  const other = newEntity();
  const first = await anna.put(EVENTS).send(activation(other, 1, { comment: 'one' }));
  await bert.put(EVENTS).send(activation(other, 1, { comment: 'two' }));
  await anna.put(EVENTS).send(deactivation(other, 2));
  await service.app.get(PersonalDataCleanUp).run();
  const erased = await ano.get(`${EVENTS}${first.body.event_id}`);
  expect([typeof erased.body.erased_at, ...authorsOf(erased)]).toEqual(['string', 'anna', undefined]);
});

test('an equal ISP stays as it is, whoever sends it', async () => {
  const [anna, bert] = [await person('anna'), await person('bert')];
  const name = newName();
  const url = `${ISPS}${newEntity()}/`;
  const created = await anna.put(url).send({ name });
  expect([created.status, ...authorsOf(created)]).toEqual([201, 'anna', 'anna']);
  expect((await bert.put(url).send({ name })).text).toBe(created.text);
  expect(authorsOf(await bert.put(url).send({ name, comment: 'changed' }))).toEqual(['anna', 'bert']);
});

test('names that JSON and the database would refuse are stored with U+FFFD', async () => {
  const event = notification(newEntity(), 1, { comment: 'one' });
  for (const [name, expected] of [
    ['a\0b', 'a\uFFFDb'],
    ['a\uD83C', 'a\uFFFD'],
    [`"'\\`, `"'\\`],
  ] as const) {
    const by = await person(name);
    expect(authorsOf(await by.put(EVENTS).send({ ...event, entity_id: newEntity() }))).toEqual([expected, undefined]);
    expect(authorsOf(await by.post(CLOSINGS).send(MONTH))).toEqual([expected, undefined]);
  }
});

test('other tenants never get an author: in no response, in no format and by no webhook', async () => {
  const owner = await person(AUTHOR, 'ano.author');
  const entity_id = newEntity();
  const isp_tenant = 'isp.reader';
  const { partner_id } = (await owner.post(ISPS).send({ name: newName(), isp_tenant, comment: 'an ISP' })).body as { partner_id: string };
  const sys_attributes = { partner_id, article_codes: ['A'], option82: 'circuit-1' };
  const event = activation(entity_id, 1, { sys_attributes });
  await owner.put(EVENTS).send(event);
  const { event_id } = (await owner.put(EVENTS).send({ ...event, comment: 'changed' })).body as { event_id: string };
  await owner.put(EVENTS).send(activation(newEntity(), 1, { sys_attributes: { partner_id: PARTNER, article_codes: ['B'] } }));
  const { webhook_id } = (await owner.post(WEBHOOKS).send({ url: 'https://crm.example/hook', feed: 'events', enabled: false })).body as {
    webhook_id: string;
  };
  await owner.put(EVENTS).send(update(newEntity(), 1)).expect(409);
  await until('the refused event', async () => (await owner.get(`${EVENTS}refused/`)).text.includes('event-order'));
  await until('the feed', async () => (await owner.get(`${EVENTS}changes/`)).text.includes(event_id));
  const { closing_id } = (await owner.post(CLOSINGS).send({ ...MONTH, partner_id })).body as { closing_id: string };

  const recorded = { ...MONTH, recorded_from: '2026-01-01T00:00:00Z' };
  const values = {
    required: { entity_id, event_id, partner_id, closing_id, webhook_id, q: 'circuit-1' },
    queries: {
      listPeriods: MONTH,
      listTotals: MONTH,
      exportPeriods: MONTH,
      exportTotals: MONTH,
      listCorrections: recorded,
      listCharges: MONTH,
      listChargedTotals: MONTH,
      listChargedCorrections: recorded,
    },
  };
  const reader = async (tenant: string): Promise<Map<string, RawResponse>> =>
    readEverything(service, document, await service.issuer.token({ tenant, scope: SCOPE }), values);

  const own = await reader('ano.author');
  // The closing does not cover the owner as an ISP.
  expect([...own].filter(([, { status }]) => status !== 200).map(([name]) => name)).toEqual(['readChargedClosing']);
  expect(naming(own, 'Österreicher')).toEqual([
    'exportEvents csv',
    'exportEvents ndjson',
    'listClosings',
    'listEventChanges',
    'listEvents',
    'listIsps',
    'listLatestEvents',
    'listRefusedEvents',
    'listWebhooks',
    'readClosing',
    'readEvent',
    'readIsp',
    'readWebhook',
  ]);
  for (const tenant of [isp_tenant, 'ano.stranger']) {
    const others = await reader(tenant);
    expect(others.size).toBe(own.size);
    expect(naming(others, 'Österreicher').concat(naming(others, 'created_by'), naming(others, 'modified_by'))).toEqual(
      // The heads of tables without rows.
      ['exportEvents csv', 'exportEvents csv'],
    );
  }
  const isp = await reader(isp_tenant);
  // The error of the last one names what it does not find, and so below.
  expect(naming(isp, closing_id)).toEqual(['listChargedClosings', 'readChargedClosing', 'readClosing']);
  expect(naming(isp, entity_id)).toEqual([
    'exportLines csv',
    'exportLines ndjson',
    'listChargedCorrections',
    'listCharges',
    'listLineChanges',
    'listLines',
    'readEntity',
  ]);

  const since = new Date(Date.now() - 3_600_000).toISOString();
  const arrived = async (by: Client, feed: string): Promise<string> => {
    receiver.batches.length = 0;
    const { body } = await by.post(WEBHOOKS).send({ url: receiver.urlOf(), feed, since });
    receiver.secrets.push(body.secret as string);
    await until(`the webhook of ${feed}`, () => receiver.batches.some(({ text }) => text.includes(entity_id)));
    await by.delete(`${WEBHOOKS}${body.webhook_id}/`);
    return receiver.batches.map(({ text }) => text).join('\n');
  };
  expect(await arrived(owner, 'events')).toContain('Österreicher');
  expect(await arrived(await service.as({ tenant: isp_tenant, scope: SCOPE }), 'lines')).not.toMatch(/Österreicher|_by"/);
  expect(await sql(service.databaseUrl, `select 1 from webhook where created_by = $1`, [AUTHOR])).toHaveLength(1);
});
