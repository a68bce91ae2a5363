import { randomUUID } from 'node:crypto';
import { startTestService, type TestService } from '@fibre/testing';
import { eventService } from '../../src/event-service.js';

const EVENTS = '/api/v2/sys/events/';
const EXPORT = '/api/v2/sys/events/export';
const COLUMNS =
  'event_id,entity_id,event_type,event_at,event_timezone,sys_attributes,usr_reference,usr_attributes,comment,tenant,created_at,created_by,modified_at,modified_by,erased_at';

let service: TestService;
type Client = Awaited<ReturnType<TestService['as']>>;
let ano: Client;

beforeAll(async () => {
  service = await startTestService(eventService, { NAMESPACES_ENABLED: 'true' });
  ano = await service.as({ scope: 'events:read events:write' });
});
afterAll(() => service.close());

const notification = (entity_id: string, more: object = {}) => ({
  entity_id,
  event_type: 'notification',
  event_at: '2026-02-01T16:00:00+01:00',
  ...more,
});
async function record(body: object, namespace?: string): Promise<void> {
  const answer = await ano
    .put(EVENTS)
    .set(namespace === undefined ? {} : { namespace })
    .send(body);
  if (answer.status !== 201) throw new Error(`the event was not recorded: ${answer.status} ${answer.text}`);
}
const exported = async (query: Record<string, string>, headers: Record<string, string> = {}): Promise<string> => {
  const answer = await ano
    .get(EXPORT)
    .query(query)
    .set(headers)
    .buffer(true)
    .parse((response, done) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => done(null, Buffer.concat(chunks).toString()));
    });
  expect(answer.status).toBe(200);
  return answer.body as string;
};

test('an export has the events as the list shows them, and the same filters', async () => {
  const [entity_id, other] = [randomUUID(), randomUUID()];
  await record(notification(entity_id, { comment: '=1, "quoted"\nand broken', usr_attributes: { a: '\u0001"\\' }, usr_reference: '🏠' }));
  await record(notification(entity_id, { event_at: '2026-02-02T16:00:00.123456+01:00', sys_attributes: { article_codes: ['A,B'] } }));
  await record(notification(other));
  const listed = (await ano.get(EVENTS).query({ entity_id })).body as Record<string, unknown>[];
  expect(listed).toHaveLength(2);
  const ndjson = await exported({ format: 'ndjson', entity_id });
  expect(
    ndjson
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as object),
  ).toEqual(listed);
  expect((await exported({ format: 'ndjson' })).split('\n')).toHaveLength(4);
  expect((await exported({ format: 'ndjson', entity_id, period: '2026-02-02' })).split('\n')).toHaveLength(2);
  expect((await exported({ format: 'ndjson', token: 'fresh', period: '2099-01-01' })).split('\n')).toHaveLength(1);
  expect((await exported({ format: 'ndjson', token: 'completed', entity_id })).split('\n')).toHaveLength(3);

  const [first, second] = listed as [Record<string, string>, Record<string, string>];
  const quoted = (value: unknown): string => `"${JSON.stringify(value).replaceAll('"', '""')}"`;
  const row = (event: Record<string, string>, sys: string, reference: string, usr: string, comment: string): string =>
    [
      event['event_id'],
      entity_id,
      'notification',
      event['event_at'],
      'Europe/Vienna',
      sys,
      reference,
      usr,
      comment,
      'ano.test',
      event['created_at'],
      'client',
      event['modified_at'],
      // Nobody has overwritten or erased it.
      '',
      '',
    ].join(',');
  expect(await exported({ entity_id })).toBe(
    [
      COLUMNS,
      row(first, '', '🏠', quoted(first['usr_attributes']), '"=1, ""quoted""\nand broken"'),
      row(second, quoted(second['sys_attributes']), '', '', ''),
      '',
    ].join('\r\n'),
  );
});

test('namespaces and tenants are separate', async () => {
  const entity_id = randomUUID();
  await record(notification(entity_id), 'trial');
  expect(await exported({ entity_id })).toBe(`${COLUMNS}\r\n`);
  expect((await exported({ entity_id }, { namespace: 'trial' })).split('\r\n')).toHaveLength(3);
  ano = await service.as({ tenant: 'ano.other', scope: 'events:read events:write' });
  expect(await exported({ entity_id }, { namespace: 'trial' })).toBe(`${COLUMNS}\r\n`);
});

test('an export has a file name, and rejects unknown parameters', async () => {
  const head = await ano.head(EXPORT).query({ format: 'ndjson' });
  expect([head.status, head.headers['content-type'], head.headers['content-disposition']]).toEqual([
    200,
    expect.stringContaining('application/x-ndjson'),
    'attachment; filename="events.ndjson"',
  ]);
  const refused = await ano.get(EXPORT).query({ format: 'xlsx', _page_size: '1' });
  expect([refused.status, refused.body.errors.map(({ parameter }: { parameter: string }) => parameter).sort()]).toEqual([
    422,
    ['_page_size', 'format'],
  ]);
});
