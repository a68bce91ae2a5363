import fc from 'fast-check';
import { type Events, READ_WRITE, startEvents, wrongHeads } from './events.js';
import { type ModelRequest, Oracle, scopeOf, type Verdict } from './oracle.js';
import { clientOf } from './traffic.js';

/** Replays a failure: MODEL_SEED and MODEL_PATH as the failing run printed them. */
const { MODEL_SEED, MODEL_PATH, MODEL_RUNS = '1000' } = process.env;

/** Instants close together, so that requests meet, some of them less than a millisecond apart. */
const INSTANTS = [
  '2026-01-01T00:00:00.000000Z',
  '2026-01-01T00:00:00.000001Z',
  '2026-01-01T00:00:00.001000Z',
  '2026-01-02T00:00:00.000000Z',
  '2026-01-03T00:00:00.000000Z',
  '2026-01-04T00:00:00.000000Z',
];
const FUTURE = '2126-01-01T00:00:00.000000Z';
const SYS = [{ article_codes: ['a'] }, { article_codes: ['b'] }];

const request: fc.Arbitrary<ModelRequest> = fc.record({
  tenant: fc.constantFrom('ano.one', 'ano.one', 'ano.two'),
  namespace: fc.constantFrom(undefined, undefined, 'dev'),
  type: fc.constantFrom('activation', 'update', 'update', 'deactivation', 'notification'),
  at: fc.oneof({ arbitrary: fc.constantFrom(...INSTANTS), weight: 30 }, { arbitrary: fc.constant(FUTURE), weight: 1 }),
  sys: fc.constantFrom(...SYS.keys()),
  user: fc.constantFrom(
    undefined,
    { comment: 'a' },
    { comment: 'b' },
    { usr_attributes: { a: [1] } },
    { usr_attributes: {}, usr_reference: 'r' },
  ),
});

let started: Events;
const clients = new Map<string, ReturnType<typeof clientOf>>();
let runs = 0;

beforeAll(async () => {
  started = await startEvents();
  const { service } = started;
  for (const tenant of ['ano.one', 'ano.two']) {
    const token = await service.issuer.token({ ...READ_WRITE, tenant, claims: { exp: Math.floor(Date.now() / 1_000) + 3_600 } });
    clients.set(scopeOf({ tenant, namespace: undefined }), clientOf(service.url, token));
    clients.set(scopeOf({ tenant, namespace: 'dev' }), clientOf(service.url, token, { namespace: 'dev' }));
  }
});
afterAll(() => started.service.close());

test('any sequence of requests gets the answers of the model, and leaves its timelines', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 24, size: 'max' }), async (requests) => {
      const entity = `00000000-0000-4000-8000-${(++runs).toString(16).padStart(12, '0')}`;
      const oracle = new Oracle();
      // Timelines have nothing to do with each other, so each goes its way at its own pace.
      await Promise.all(
        [...clients].map(([scope, client]) =>
          walk(
            client,
            oracle,
            entity,
            scope,
            requests.filter((sent) => scopeOf(sent) === scope),
          ),
        ),
      );
    }),
    {
      numRuns: Number(MODEL_RUNS),
      ...(MODEL_SEED !== undefined && { seed: Number(MODEL_SEED) }),
      ...(MODEL_PATH !== undefined && { path: MODEL_PATH }),
      reporter: (details) => {
        if (!details.failed) return;
        throw new Error(
          `replay with MODEL_SEED=${details.seed} MODEL_PATH=${details.counterexamplePath}\n${fc.defaultReportMessage(details)}`,
        );
      },
    },
  );
  expect(await wrongHeads(started.service.databaseUrl)).toEqual([]);
});

/** Sends the requests of one timeline and compares each answer, and then what is left. */
async function walk(
  client: ReturnType<typeof clientOf>,
  oracle: Oracle,
  entity: string,
  scope: string,
  requests: ModelRequest[],
): Promise<void> {
  if (requests.length === 0) return;
  const ids = new Map<string, string>();
  for (const [step, sent] of requests.entries()) {
    const expected = oracle.record(sent);
    const { status, body } = await client.put(toBody(sent, entity));
    expect({ step, ...observed(status, body) }).toEqual({ step, ...named(expected, ids, body) });
  }
  const [listed, latest] = await Promise.all([client.get(`?entity_id=${entity}`), client.get(`latest?entity_id=${entity}`)]);
  const events = oracle.timeline(scope);
  expect(timeline(listed.body as Listed[])).toEqual(events.map(({ key, ...event }) => ({ event_id: ids.get(key), ...event })));
  expect((latest.body as Listed[]).map(({ event_id }) => event_id)).toEqual(events.slice(-1).map(({ key }) => ids.get(key)));
}

function toBody({ type, at, sys, user }: ModelRequest, entity_id: string): Record<string, unknown> {
  const attributes = SYS[sys];
  const sys_attributes =
    type === 'deactivation'
      ? undefined
      : type === 'activation'
        ? { ...attributes, partner_id: '11111111-1111-4111-8111-111111111111' }
        : attributes;
  return { entity_id, event_type: type, event_at: at, event_timezone: 'UTC', sys_attributes, ...user };
}

interface Listed {
  readonly event_id: string;
  readonly event_type: string;
  readonly event_at: string;
  readonly usr_reference?: string;
  readonly usr_attributes?: object;
  readonly comment?: string;
}

/** As the model has it; in order of creation. */
const timeline = (events: Listed[]) =>
  events.map(({ event_id, event_type, event_at, usr_reference, usr_attributes, comment }) => ({
    event_id,
    type: event_type,
    at: inMicroseconds(event_at),
    user: JSON.parse(JSON.stringify({ usr_reference, usr_attributes, comment })) as object,
  }));

/** `2026-01-01T00:00:00.000+00:00` as `2026-01-01T00:00:00.000000Z`. */
const inMicroseconds = (text: string): string => `${text.replace('+00:00', '').padEnd(26, '0')}Z`;

function observed(status: number, body: unknown): object {
  const { event_id, code, conflicts_with } = body as { event_id?: string; code?: string; conflicts_with?: { event_id: string }[] };
  return { status, code, event_id, conflicts_with: conflicts_with?.map((event) => event.event_id) };
}

/** The verdict with ids for the keys of the model; a key that is new takes the id of the answer. */
function named({ status, code, key, conflicts }: Verdict, ids: Map<string, string>, body: unknown): object {
  if (key !== undefined && !ids.has(key)) ids.set(key, (body as { event_id: string }).event_id);
  return {
    status,
    code,
    event_id: key === undefined ? undefined : ids.get(key),
    conflicts_with: conflicts?.map((conflict) => ids.get(conflict)),
  };
}
