import { countListing, dataSourceOptions, type Listing, selectPage, type Statement } from '@fibre/database';
import { Timestamp } from '@fibre/dto';
import { selectById, selectByText } from '@fibre/server';
import { DataSource } from 'typeorm';
import { NIL } from 'uuid';
import { eraseEntity, selectEntity, selectInactive } from '../../src/entities/entity.sql.js';
import * as entities from '../../src/entities/entity-list.sql.js';
import type { EventFilters } from '../../src/event-lists/event-filters.sql.js';
import { EVENT_TOKENS, EXPORT_FORMATS } from '../../src/event-lists/event-lists.requests.js';
import { eventChanges } from '../../src/event-changes/event-changes.sql.js';
import { eventListing, exportEvents, withSubscription } from '../../src/event-lists/event-lists.sql.js';
import type { RequestedEvent } from '../../src/events/event.js';
import * as writes from '../../src/events/event.sql.js';
import { findPlaces } from '../../src/find/find.sql.js';
import * as isps from '../../src/isps/isp.sql.js';
import { lineChanges } from '../../src/lines/line-changes.sql.js';
import * as lines from '../../src/lines/lines.sql.js';
import { Namespace } from '../../src/namespaces/namespace.entity.js';
import { NamespacesRepository } from '../../src/namespaces/namespaces.repository.js';
import { selectTrend } from '../../src/overview/overview.sql.js';
import * as periods from '../../src/periods/periods.sql.js';
import * as totals from '../../src/periods/totals.sql.js';
import * as refused from '../../src/refused-events/refused-events.sql.js';
import { schema } from '../../src/schema.js';
import { shardKeyOf } from '../../src/timeline/event-id.js';
import { ENTITY_STATES, EVENT_TYPES, type TimelineKey } from '../../src/timeline/timeline.js';

const [ID, OTHER_ID] = ['01920000-0000-7000-8000-000000000001', '01920000-0000-7000-8000-000000000002'];
const now = new Date('2026-02-01T12:00:00Z');
const scope = { tenant: 'ano', namespaceId: ID };
const key: TimelineKey = { ...scope, entityId: OTHER_ID, shardKey: shardKeyOf(OTHER_ID) };
const at = Timestamp.parse('2026-02-01T10:00:00Z')!;
const requested: RequestedEvent = {
  type: 'activation',
  at,
  timezone: 'Europe/Vienna',
  sysAttributes: '{"article_codes":["A"]}',
  sysHash: ID,
  actor: 'anna',
  user: { usr_reference: 'one', usr_attributes: null, comment: null },
};
const read = { version: 0, isLast: true };
const naming = (isRequired: boolean): RequestedEvent => ({ ...requested, isp: { partnerId: ID, isRequired } });

/** Every function of the `.sql.ts` files, with a statement that it returns. */
const SINGLE: Record<
  | keyof typeof writes
  | keyof typeof isps
  | 'readForNotification'
  | 'appendNaming'
  | 'appendRegistered'
  | 'selectEntity'
  | 'selectEntityAt'
  | 'eraseEntity'
  | 'eraseInactive'
  | 'selectInactive'
  | 'selectTrend',
  Statement
> = {
  readTimeline: writes.readTimeline(key, requested),
  readForNotification: writes.readTimeline(key, { ...requested, type: 'notification' }),
  appendEvent: writes.appendEvent(key, read, requested),
  appendNaming: writes.appendEvent(key, read, naming(false)),
  appendRegistered: writes.appendEvent(key, read, naming(true)),
  overwriteUserAttributes: writes.overwriteUserAttributes(key, ID, requested),
  selectEntity: selectEntity(key),
  selectEntityAt: selectEntity(key, at),
  eraseEntity: eraseEntity(key, 'anna', true),
  eraseInactive: eraseEntity(key, null, false, now),
  selectInactive: selectInactive(now),
  selectTrend: selectTrend(scope, ['2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z']),
  selectEvent: writes.selectEvent(key, ID),
  recordAccess: isps.recordAccess({ tenant: 'ano', namespace_id: NIL, partner_id: OTHER_ID }),
  selectAccess: isps.selectAccess('isp'),
  findEventOfIsp: isps.findEventOfIsp({ tenant: 'ano', namespace_id: ID, partner_id: OTHER_ID }),
};

/** Why some statements use every shard. All other statements, and listings of one entity, use one shard. */
const FAN_OUTS: Partial<Record<keyof typeof SINGLE, string>> = {
  findEventOfIsp: 'searches for events of an ISP, which are on all shards',
  selectInactive: 'searches for entities of all tenants',
  selectTrend: 'counts events and entities, which are on all shards',
};

/** A statement that the service sends. */
export interface ServiceStatement {
  readonly name: string;
  readonly statement: Statement;
  /** Whether it uses at most one shard. */
  readonly isOneShard: boolean;
}

const RECORDED: EventFilters = {
  event_type: 'update',
  partner_id: ID,
  recorded_from: Timestamp.parse('2026-02-01T00:00:00Z')!,
  recorded_until: Timestamp.parse('2026-03-01T00:00:00Z')!,
};

/** Each combination of event filters. */
export function* everyFilter(): Generator<EventFilters> {
  for (const period of [{}, { period: '2026-02-01' }, { period: '2026-01-01', period_end: '2026-02-01' }])
    for (const token of [undefined, ...EVENT_TOKENS])
      for (const more of [{}, { entity_id: OTHER_ID }, { created_by: 'client', modified_by: 'client' }, RECORDED])
        yield { ...period, ...more, token };
}

function* listings(): Generator<ServiceStatement> {
  const scoped = { ...scope, now, freshHours: 24 };
  for (const [name, byTimeline] of [['events'], ['latest', false], ['latest', true]] as const) {
    for (const filters of everyFilter()) {
      const listing = eventListing(name, { ...scoped, onCluster: true }, filters, byTimeline);
      const isOneShard = filters.entity_id !== undefined;
      const words = `${name}${byTimeline ? ' by timeline' : ''} ${JSON.stringify(filters)}`;
      yield { name: `first page of ${words}`, statement: selectPage(listing, { size: 100 }), isOneShard };
      yield { name: `later page of ${words}`, statement: selectPage(listing, { size: 100, from: [ID] }), isOneShard };
      if (name === 'events')
        yield { name: `last page of ${words}`, statement: selectPage(listing, { size: 100, from: [ID], order: 'desc' }), isOneShard };
      yield { name: `count of ${words}`, statement: countListing(listing), isOneShard };
      if (name === 'events')
        yield {
          name: `${words} with subscription`,
          statement: selectPage(withSubscription(listing, { ...scoped, entityId: filters.entity_id }), { size: 100 }),
          isOneShard,
        };
    }
  }
}

function* changes(): Generator<ServiceStatement> {
  for (const event_type of [undefined, ...EVENT_TYPES])
    for (const entity_id of [undefined, OTHER_ID]) {
      const listing = eventChanges(scope, { event_type, entity_id }, now);
      const statement = selectPage(listing, { size: 100, from: [now, ID] });
      yield { name: `changes ${event_type} ${entity_id}`, statement, isOneShard: entity_id !== undefined };
    }
}

function* finds(): Generator<ServiceStatement> {
  for (const place of findPlaces(scope)) {
    const statements = place.text ? [selectByText(place, place.text, 'line')] : [ID, ID.slice(-12)].map((text) => selectById(place, text)!);
    // The ISPs and the closings are in tables on the coordinator.
    const isOneShard = ['find-name', 'find-isp', 'find-closing'].includes(place.name);
    yield* statements.map((statement) => ({ name: statement.name, statement, isOneShard }));
  }
}

/** The statements within COPY. */
function* exports(): Generator<ServiceStatement> {
  const scoped = { ...scope, now, freshHours: 24 };
  for (const format of EXPORT_FORMATS) {
    for (const filters of everyFilter()) {
      const statement = exportEvents(format, scoped, filters);
      yield { name: `export of ${format} ${JSON.stringify(filters)}`, statement, isOneShard: filters.entity_id !== undefined };
    }
  }
}

function* entityListings(): Generator<ServiceStatement> {
  for (const state of [undefined, ...ENTITY_STATES])
    for (const partner_id of [undefined, ID])
      for (const article_code of [undefined, 'A'])
        for (const instant of [undefined, at]) {
          const filters: entities.EntityFilters = { state, partner_id, article_code, at: instant };
          const windows = entities.isWindowed(filters) ? [{}, { until: ID }, { from: ID, until: OTHER_ID }] : [{}];
          const words = JSON.stringify(filters);
          const isOneShard = false;
          yield { name: `window after ${words}`, statement: entities.selectNextWindow(scope, filters, ID), isOneShard };
          for (const window of windows) {
            const listing = entities.entityListing(scope, filters, window);
            yield { name: `first page of entities ${words}`, statement: selectPage(listing, { size: 100 }), isOneShard };
            yield { name: `later page of entities ${words}`, statement: selectPage(listing, { size: 100, from: [ID] }), isOneShard };
            yield { name: `count of entities ${words}`, statement: countListing(listing), isOneShard };
          }
        }
}

const pagesOf = (listing: Listing, later: unknown[]): Statement[] => [
  ...[undefined, later].map((from) => selectPage(listing, { size: 100, from })),
  countListing(listing),
];

function* periodStatements(): Generator<ServiceStatement> {
  const to = Timestamp.parse('2026-03-01T10:00:00Z')!;
  for (const recordedFrom of [undefined, new Date('2026-01-15T12:00:00Z')])
    for (const entity_id of [undefined, OTHER_ID])
      for (const partner_id of [undefined, ID])
        for (const article_code of [undefined, 'A']) {
          const search = {
            tenant: 'ano',
            namespaceId: ID,
            from: at,
            to,
            timezone: 'Europe/Vienna',
            recordedUntil: now,
            recordedFrom,
            entity_id,
            partner_id,
            article_code,
          };
          const statements: Record<keyof typeof periods | keyof typeof totals, Statement[]> = {
            periodListing: pagesOf(periods.periodListing(search), [ID, 3]),
            exportPeriods: EXPORT_FORMATS.map((format) => periods.exportPeriods(format, search)),
            totalListing: recordedFrom ? [] : pagesOf(totals.totalListing(search), [3]),
            exportTotals: recordedFrom ? [] : EXPORT_FORMATS.map((format) => totals.exportTotals(format, search)),
          };
          const words = JSON.stringify({ recordedFrom, entity_id, partner_id, article_code });
          for (const [name, each] of Object.entries(statements))
            for (const [index, statement] of each.entries())
              yield { name: `${name} ${index} ${words}`, statement, isOneShard: entity_id !== undefined };
        }
}

function* lineStatements(): Generator<ServiceStatement> {
  const account = { tenant: 'ano', partner_id: ID };
  for (const accounts of [[account], [account, { tenant: 'other', partner_id: OTHER_ID }]])
    for (const entity_id of [undefined, OTHER_ID])
      for (const option82 of [undefined, 'a'])
        for (const partner_reference of [undefined, 'b'])
          for (const article_code of [undefined, 'A']) {
            const search = { accounts, at: at.utc, entity_id, option82, partner_reference, article_code };
            const statements: Record<Exclude<keyof typeof lines, 'LINE_JSON' | 'isWindowed'>, Statement[]> = {
              lineListing: [{}, { from: ID, until: OTHER_ID }].flatMap((window) => pagesOf(lines.lineListing(search, window), [ID, 'ano'])),
              selectNextWindow: [undefined, ID].map((from) => lines.selectNextWindow(search, from, 1_000)),
              candidateListing: [countListing(lines.candidateListing(search))],
              exportLines: EXPORT_FORMATS.map((format) => lines.exportLines(format, search)),
            };
            const words = JSON.stringify(search);
            for (const [name, each] of Object.entries(statements))
              for (const [index, statement] of each.entries())
                yield { name: `${name} ${index} ${words}`, statement, isOneShard: entity_id !== undefined };
          }
}

function* lineChangeStatements(): Generator<ServiceStatement> {
  const access = { tenant: 'ano', partner_id: ID, first_at: now, begins_at: now, ends_at: null };
  for (const accesses of [[access], [{ ...access, ends_at: now }], [access, { ...access, tenant: 'other', ends_at: now }]])
    yield {
      name: `changes of lines ${JSON.stringify(accesses)}`,
      statement: selectPage(lineChanges(accesses, now, now), { size: 100, from: [now, ID] }),
      isOneShard: false,
    };
}

function* refusedEventStatements(): Generator<ServiceStatement> {
  const event = { namespace_id: ID, entity_id: OTHER_ID, event_type: 'update', event_at: at.utc, event_timezone: 'Europe/Vienna' };
  const row = { ...event, tenant: 'ano', refused_id: ID, refused_at: now, sent_by: 'anna', sys_attributes: null, problem: '{}' };
  const statements: Record<Exclude<keyof typeof refused, 'MOST_PER_TENANT'>, Statement[]> = {
    insertRefused: [refused.insertRefused([row])],
    deleteSurplus: [refused.deleteSurplus(['ano'])],
    deleteOld: [refused.deleteOld(now)],
    deleteOfEntity: [refused.deleteOfEntity('ano', ID, OTHER_ID)],
    refusedEvents: [undefined, OTHER_ID].flatMap((entity) => pagesOf(refused.refusedEvents('ano', ID, entity), [ID])),
  };
  // The table is on the coordinator.
  for (const [name, each] of Object.entries(statements))
    for (const [index, statement] of each.entries()) yield { name: `${name} ${index}`, statement, isOneShard: true };
}

/** Every statement that event-service sends; the types ensure that no function of a `.sql.ts` file is missing. */
export const everyStatement: readonly ServiceStatement[] = [
  ...Object.entries(SINGLE).map(([name, statement]) => ({ name, statement, isOneShard: !(name in FAN_OUTS) })),
  ...listings(),
  ...changes(),
  ...finds(),
  ...entityListings(),
  ...exports(),
  ...periodStatements(),
  ...lineStatements(),
  ...lineChangeStatements(),
  ...refusedEventStatements(),
];

/** The clean-up reads all namespaces, and a namespace has entities on all shards. */
const ALL_SHARDS = [/^UPDATE "namespace" SET "name"/, /FROM "namespace" .* IS NULL/, /"event"/, /"timeline"/];

/** TypeORM's statements for namespaces, whose table is distributed too. The ISPs are in a table on the coordinator. */
export async function namespaceStatements(url: string): Promise<ServiceStatement[]> {
  const sent: ServiceStatement[] = [];
  const ignore = (): void => undefined;
  const logger = {
    logQuery: (text: string, values: unknown[] = []) => {
      const isOneShard = !ALL_SHARDS.some((pattern) => pattern.test(text));
      // TypeORM writes its keywords in upper case, unlike the statements below.
      if (/^[A-Z].*"/.test(text)) sent.push({ name: text, statement: { name: '', text, values }, isOneShard });
    },
    logQueryError: ignore,
    logQuerySlow: ignore,
    logSchemaBuild: ignore,
    logMigration: ignore,
    log: ignore,
  };
  const options = dataSourceOptions({ url, poolSize: 1, applicationName: 'spec', ...schema });
  const database = await new DataSource({ ...options, logging: ['query'], logger }).initialize();
  const namespaces = new NamespacesRepository(database.getRepository(Namespace));
  const name = { tenant: 'ano', name: 'test', shard_key: 1 };
  const id = await namespaces.open(name, now);
  await namespaces.touch(name, now);
  await database.query(
    `insert into timeline (shard_key, tenant, namespace_id, entity_id, version, state, state_since, created_at, modified_at, last_event_id)
     values (1, 'ano', '${id}', '${ID}', 1, 'announced', now(), now(), now(), '${ID}')`,
  );
  await database.query(
    `insert into event (event_id, shard_key, tenant, namespace_id, entity_id, sequence, event_type, event_at, event_timezone, event_date,
       sys_hash, created_at, modified_at)
     values ('${ID}', 1, 'ano', '${id}', '${ID}', 1, 'notification', now(), 'UTC', now(), '${ID}', now(), now())`,
  );
  await database.query(
    `insert into isp (tenant, namespace_id, partner_id, name, version, created_at, modified_at) values ('ano', '${id}', '${ID}', 'a', 1, now(), now())`,
  );
  await database.query(
    `insert into closing (tenant, namespace_id, closing_id, "from", "to", timezone, sent_from, sent_to, day_starts, timezone_release,
       recorded_until, reviewed, warnings)
     values ('ano', '${id}', '${ID}', 'a', 'b', 'UTC', 'a', 'b', '{}', '2026c', now(), false, '{}')`,
  );
  await database.query(
    `insert into refused_event (tenant, refused_id, refused_at, namespace_id, entity_id, event_type, event_at, event_timezone, problem)
     values ('ano', '${ID}', now(), '${id}', '${ID}', 'update', now(), 'UTC', '{}')`,
  );
  if (!(await namespaces.cleanUpStep(new Date()))) throw new Error('the clean-up did not delete the namespace');
  await database.destroy();
  return sent;
}
