import { volume } from '@fibre/testing/volume';
import fc from 'fast-check';
import { type Events, READ_WRITE, startEvents, wrongHeads, wrongRecords, wrongStates } from '../events/events.js';
import { type ModelAttributes, type ModelPeriod, type ModelRequest, Oracle, scopeOf, type Verdict } from './oracle.js';
import { clientOf } from './traffic.js';

/** To replay a failing run, set MODEL_SEED and MODEL_PATH to the seed and path that it prints. */
const { MODEL_SEED, MODEL_PATH } = process.env;

/** Instants close together, so that requests conflict; some are less than a millisecond apart. */
const INSTANTS = [
  '2026-01-01T00:00:00.000000Z',
  '2026-01-01T00:00:00.000001Z',
  '2026-01-01T00:00:00.001000Z',
  '2026-01-02T00:00:00.000000Z',
  '2026-01-03T00:00:00.000000Z',
  '2026-01-04T00:00:00.000000Z',
];
const FUTURE = '2126-01-01T00:00:00.000000Z';
const SYS = [
  { article_codes: ['a'] },
  { article_codes: ['b', 'a'], option82: 'port 1' },
  { article_codes: ['b'], option82: 'port 2', partner_reference: 'r' },
];
const PARTNERS = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222', '33333333-3333-4333-8333-333333333333'];
/** Number of instants for which entities are compared: few in most runs, many in one out of {@link WHOLE_RUNS}. */
const [FEW, MANY] = [2, 5];
/** One in this many runs also compares scopes and entities that no request touches. */
const WHOLE_RUNS = 20;
const TENANTS = ['ano.one', 'ano.two'];
const NAMESPACES = [undefined, 'dev'];

const request: fc.Arbitrary<Request> = fc.record({
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
  entity: fc.constantFrom(0, 0, 0, 1),
});

/** An instant near an event, or anywhere. */
const instant: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...INSTANTS, FUTURE, '2025-12-31T23:59:59.999999Z', '2026-01-01T00:00:00.000999Z', '2026-01-02T23:59:59.999999Z'),
  fc.integer({ min: Date.UTC(2025, 11, 31), max: Date.UTC(2026, 0, 6) }).map((ms) => new Date(ms).toISOString().replace('Z', '000Z')),
);

let started: Events;
let runs = 0;

type Client = ReturnType<typeof clientOf>;
type Request = ModelRequest & { readonly entity: number };

beforeAll(async () => {
  started = await startEvents();
});
afterAll(() => started.service.close());

test("any sequence of requests gets the responses that the model predicts, and results in the model's timelines", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(request, { minLength: 1, maxLength: 24, size: 'max' }),
      fc.array(instant, { minLength: MANY, maxLength: MANY }),
      async (requests, instants) => {
        const isWhole = runs % WHOLE_RUNS === 0;
        const run = (++runs).toString(16).padStart(12, '0');
        const entities = ['00000000-0000-4000-8000-', '00000000-0000-4000-9000-'].map((start) => start + run);
        const oracles = entities.map(() => new Oracle());
        // Timelines are independent, so each runs at its own pace.
        await Promise.all(
          TENANTS.flatMap((tenant) =>
            NAMESPACES.map(async (namespace) => {
              const scope = scopeOf({ tenant, namespace });
              const client = await clientIn(`${tenant}.${run}`, namespace);
              const sent = requests.filter((one) => scopeOf(one) === scope);
              const ids = new Map<string, string>();
              for (const [index, entity] of entities.entries())
                await walk(
                  client,
                  oracles[index]!,
                  entity,
                  scope,
                  sent.filter((one) => one.entity === index),
                  ids,
                );
              const compared = isWhole ? [0, 1] : [...new Set(sent.map(({ entity }) => entity))];
              const asked = isWhole ? instants : instants.slice(0, FEW);
              if (compared.length > 0) await compareEntities(client, oracles, entities, compared, scope, asked, ids);
            }),
          ),
        );
      },
    ),
    {
      numRuns: volume(10, 50, 1_000),
      ...(MODEL_SEED !== undefined && { seed: Number(MODEL_SEED) }),
      ...(MODEL_PATH !== undefined && { path: MODEL_PATH }),
      reporter: (details) => {
        if (!details.failed) return;
        throw new Error(
          `the service and oracle.ts disagree; replay with MODEL_SEED=${details.seed} MODEL_PATH=${details.counterexamplePath}\n${fc.defaultReportMessage(details)}\n${String(details.errorInstance)}`,
        );
      },
    },
  );
  const { databaseUrl } = started.service;
  expect([await wrongHeads(databaseUrl), await wrongStates(databaseUrl), await wrongRecords(databaseUrl)]).toEqual([[], [], []]);
  // CI runs a thousand histories of a hundred requests each.
}, 1_800_000);

/** A separate tenant for each run, so that its lists contain nothing else. */
async function clientIn(tenant: string, namespace: string | undefined): Promise<Client> {
  const { service } = started;
  const token = await service.issuer.token({ ...READ_WRITE, tenant, claims: { exp: Math.floor(Date.now() / 1_000) + 3_600 } });
  return clientOf(service.url, token, namespace === undefined ? {} : { namespace });
}

/** Sends the requests of one timeline, and compares each response and then the result with the model. */
async function walk(
  client: Client,
  oracle: Oracle,
  entity: string,
  scope: string,
  requests: ModelRequest[],
  idsOfScope: Map<string, string>,
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
  expect(timeline(listed.body as Listed[])).toEqual(events.map(({ key, sys: _sys, ...event }) => ({ event_id: ids.get(key), ...event })));
  expect((latest.body as Listed[]).map(({ event_id }) => event_id)).toEqual(events.slice(-1).map(({ key }) => ids.get(key)));
  for (const [eventKey, id] of ids) idsOfScope.set(`${entity} ${eventKey}`, id);
}

/** Checks one scope against the oracles: its list, now and at some instants, and some single entities including their periods. */
async function compareEntities(
  client: Client,
  oracles: Oracle[],
  entities: string[],
  compared: number[],
  scope: string,
  instants: string[],
  ids: Map<string, string>,
): Promise<void> {
  const compareList = async (at?: string): Promise<void> => {
    const expected = entities.flatMap((entity_id, index) => {
      const state = oracles[index]!.state(scope, attributesOf, at);
      const last = oracles[index]!.timeline(scope).at(-1);
      return state && last ? [{ entity_id, ...state, last_event_id: ids.get(`${entity_id} ${last.key}`) }] : [];
    });
    const { status, body } = await client.entities(at === undefined ? '' : `?at=${at}`);
    expect([at, status, (body as ListedEntity[]).map(entityAsModel)]).toEqual([at, 200, expected.map(withoutAbsent)]);
  };
  const compareSingle = async (entity: string, oracle: Oracle, at?: string): Promise<void> => {
    const { status, body } = await client.entities(`${entity}/${at === undefined ? '' : `?at=${at}`}`);
    const state = oracle.state(scope, attributesOf, at);
    if (!state) return expect([at, status]).toEqual([at, 404]);
    const expected = oracle
      .periods(scope, attributesOf, at)
      .map(({ steps, ...period }) => ({
        ...period,
        steps: steps.map(({ key, ...step }) => ({ ...step, event_id: ids.get(`${entity} ${key}`) })),
      }));
    const { periods, ...single } = body as ListedEntity & { periods: (Omit<ModelPeriod, 'steps'> & { steps: { from: string }[] })[] };
    expect(
      periods.map(({ from, to, steps, ...period }) => ({
        from: inMicroseconds(from),
        ...(to !== undefined && { to: inMicroseconds(to) }),
        ...period,
        steps: steps.map((step) => ({ ...step, from: inMicroseconds(step.from) })),
      })),
    ).toEqual(expected);
    const last_event_id = ids.get(`${entity} ${oracle.timeline(scope).at(-1)!.key}`);
    expect(entityAsModel(single as ListedEntity)).toEqual(withoutAbsent({ entity_id: entity, ...state, last_event_id }));
  };
  await Promise.all([
    compareList(),
    ...instants.map((at) => compareList(at)),
    ...compared.flatMap((index) => [undefined, instants[0]].map((at) => compareSingle(entities[index]!, oracles[index]!, at))),
  ]);
}

type ListedEntity = Record<string, unknown> & { readonly since: string };

/** The entity in the form of the model, which has neither a tenant nor recording times. */
const entityAsModel = ({ since, tenant: _tenant, created_at: _created, modified_at: _modified, ...entity }: ListedEntity) => ({
  ...entity,
  since: inMicroseconds(since),
});
const withoutAbsent = (value: object): object => JSON.parse(JSON.stringify(value)) as object;

/** The sys_attributes of a request in the model. */
const attributesOf = ({ type, sys }: Pick<ModelRequest, 'type' | 'sys'>): ModelAttributes =>
  type === 'activation' ? { ...SYS[sys], partner_id: PARTNERS[sys] } : SYS[sys]!;

function toBody({ type, at, sys, user }: ModelRequest, entity_id: string): Record<string, unknown> {
  const sys_attributes = type === 'deactivation' ? undefined : attributesOf({ type, sys });
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

/** The events in the form of the model, in order of creation. */
const timeline = (events: Listed[]) =>
  events.map(({ event_id, event_type, event_at, usr_reference, usr_attributes, comment }) => ({
    event_id,
    type: event_type,
    at: inMicroseconds(event_at),
    user: JSON.parse(JSON.stringify({ usr_reference, usr_attributes, comment })) as object,
  }));

/** Converts `2026-01-01T00:00:00.000+00:00` to `2026-01-01T00:00:00.000000Z`. */
const inMicroseconds = (text: string): string => `${text.replace('+00:00', '').padEnd(26, '0')}Z`;

function observed(status: number, body: unknown): object {
  const { event_id, code, conflicts_with } = body as { event_id?: string; code?: string; conflicts_with?: { event_id: string }[] };
  return { status, code, event_id, conflicts_with: conflicts_with?.map((event) => event.event_id) };
}

/** The model's verdict with ids instead of its keys; a new key is mapped to the id in the response. */
function named({ status, code, key, conflicts }: Verdict, ids: Map<string, string>, body: unknown): object {
  if (key !== undefined && !ids.has(key)) ids.set(key, (body as { event_id: string }).event_id);
  return {
    status,
    code,
    event_id: key === undefined ? undefined : ids.get(key),
    conflicts_with: conflicts?.map((conflict) => ids.get(conflict)),
  };
}
