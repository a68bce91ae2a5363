import { DataSource } from 'typeorm';
import { EVENT_MEMBERS } from '../../src/events/event-json.sql.js';
import { USER_ATTRIBUTE_NAMES, USER_ATTRIBUTES, type UserAttribute } from '../../src/events/event.js';
import { type Events, newEntity, notification, startEvents } from './events.js';

/** The fields of an event that are not user attributes. */
const CORE = [
  'event_id',
  'entity_id',
  'event_type',
  'event_at',
  'event_timezone',
  'sys_attributes',
  'tenant',
  'created_at',
  'created_by',
  'modified_at',
  'modified_by',
  'erased_at',
];
const INTERNAL = ['shard_key', 'namespace_id', 'partner_id', 'sequence', 'event_date', 'sys_hash', 'overwritten'];
const REQUESTED = ['entity_id', 'event_type', 'event_at', 'event_timezone', 'sys_attributes'];

/** Two values for every user attribute. */
const valueOf = (name: UserAttribute, variant: number): unknown =>
  USER_ATTRIBUTES[name] === 'json' ? { [name]: variant } : `${name} ${variant}`;
const values = (variant: number) => Object.fromEntries(USER_ATTRIBUTE_NAMES.map((name) => [name, valueOf(name, variant)]));
const userAttributesOf = (event: object): object => Object.fromEntries(Object.entries(event).filter(([name]) => !CORE.includes(name)));

let events: Events;

beforeAll(async () => {
  events = await startEvents();
});
afterAll(() => events.service.close());

test('every user attribute is stored, shown, compared and cleared', async () => {
  const { put, get } = events;
  const entity = newEntity();
  const record = async (attributes: object) => {
    const { status, body } = await put(notification(entity, 1, { ...attributes }));
    return [status, userAttributesOf(body as object)];
  };
  expect(await record(values(0))).toEqual([201, values(0)]);
  expect(await record(values(0))).toEqual([200, values(0)]);
  for (const name of USER_ATTRIBUTE_NAMES) {
    const changed = { ...values(0), [name]: valueOf(name, 1) };
    expect([name, ...(await record(changed))]).toEqual([name, 201, changed]);
    expect([name, ...(await record(changed))]).toEqual([name, 200, changed]);
    await record(values(0));
  }
  const [listed] = (await get(`?entity_id=${entity}`)).body as [{ event_id: string }];
  expect([listed, (await get(`${listed.event_id}/`)).body].map(userAttributesOf)).toEqual([values(0), values(0)]);
  const file = await get(`export?entity_id=${entity}&format=ndjson`);
  expect(userAttributesOf(JSON.parse(file.text) as object)).toEqual(values(0));
  expect((await get(`export?entity_id=${entity}&format=csv`)).text.split(/\r?\n/)[0]).toBe(EVENT_MEMBERS.map(({ name }) => name).join(','));
  expect(await record({})).toEqual([201, {}]);
});

test('columns, requests and responses have the same attributes', async () => {
  const columns = await events.service.app
    .get(DataSource)
    .query<{ name: string }[]>(
      `select attname as name from pg_attribute where attrelid = 'event'::regclass and attnum > 0 and not attisdropped`,
    );
  expect(columns.map(({ name }) => name).sort()).toEqual([...CORE, ...INTERNAL, ...USER_ATTRIBUTE_NAMES].sort());

  const { schemas } = ((await events.get('openapi.json')).body as { components: Components }).components;
  expect(Object.keys(schemas['EventResponse']!.properties)).toEqual(EVENT_MEMBERS.map(({ name }) => name));
  for (const request of ['ActivationRequest', 'UpdateRequest', 'NotificationRequest'])
    expect([request, ...Object.keys(schemas[request]!.properties).sort()]).toEqual([
      request,
      ...[...REQUESTED, ...USER_ATTRIBUTE_NAMES].sort(),
    ]);
});

interface Components {
  readonly schemas: Readonly<Record<string, { readonly properties: object }>>;
}
