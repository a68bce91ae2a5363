import { countListing, MAX_EXACT_TOTAL, selectPage, type Statement } from '@fibre/database';
import { Timestamp } from '@fibre/dto';
import * as entities from '../src/entities/entities.sql.js';
import type { EventFilters } from '../src/event-lists/event-filters.sql.js';
import { EVENT_TOKENS } from '../src/event-lists/event-filters.sql.js';
import { exportEvents } from '../src/event-export/event-export.sql.js';
import { eventListing } from '../src/event-lists/event-lists.sql.js';
import type { RequestedEvent, TimelineKey } from '../src/events/event.js';
import * as writes from '../src/events/event-write.sql.js';
import * as isps from '../src/isps/isp.sql.js';
import * as namespaces from '../src/namespaces/namespace.sql.js';
import { ENTITY_STATES } from '../src/timeline/entity-state.js';
import { shardKeyOf } from '../src/timeline/shard-key.js';

const [ID, OTHER_ID] = ['01920000-0000-7000-8000-000000000001', '01920000-0000-7000-8000-000000000002'];
const now = new Date('2026-02-01T12:00:00Z');
const key: TimelineKey = { tenant: 'ano', namespaceId: ID, entityId: OTHER_ID, shardKey: shardKeyOf(OTHER_ID) };
const at = Timestamp.parse('2026-02-01T10:00:00Z')!;
const requested: RequestedEvent = {
  ...{ type: 'activation', at, timezone: 'Europe/Vienna', sysAttributes: '{"article_codes":["A"]}', sysHash: ID },
  ...{ usrReference: 'one', usrAttributes: null, comment: null },
};
const ispKey = { tenant: 'ano', namespaceId: ID, partnerId: OTHER_ID };
const ispFields = { name: 'One', email: null, comment: null };
const namespace = { tenant: 'ano', name: 'test', shardKey: 1 };
const retired = { namespace_id: ID, shard_key: 1, tenant: 'ano' };

/** Each of `.sql.ts` with a statement of it. */
const SINGLE: Record<keyof typeof writes | Exclude<keyof typeof isps, 'ispListing'> | keyof typeof namespaces | 'selectEntity', Statement> =
  {
    readHead: writes.readHead(key, requested),
    readAtInstant: writes.readAtInstant(key, requested),
    readForLifecycle: writes.readForLifecycle(key, requested),
    readForNotification: writes.readForNotification(key, { ...requested, type: 'notification' }),
    appendEvent: writes.appendEvent(key, { version: 0, isLast: true }, requested, { eventId: ID, now }),
    appendActivation: writes.appendActivation(ID, key, { version: 0, isLast: true }, requested, { eventId: ID, now }),
    overwriteUserAttributes: writes.overwriteUserAttributes(key, ID, requested, now),
    selectNewestId: writes.selectNewestId(key),
    selectEntity: entities.selectEntity(key),
    selectEvent: writes.selectEvent(key, ID),
    insertIsp: isps.insertIsp(ispKey, ispFields, now),
    replaceIsp: isps.replaceIsp(ispKey, ispFields, [1], now),
    selectIsp: isps.selectIsp(ispKey),
    compareIsp: isps.compareIsp(ispKey, ispFields),
    findByName: isps.findByName(ispKey, 'One'),
    lockIsp: isps.lockIsp(ispKey),
    findEventOfIsp: isps.findEventOfIsp(ispKey),
    deleteIsp: isps.deleteIsp(ispKey),
    openNamespace: namespaces.openNamespace(namespace, ID, now),
    touchNamespace: namespaces.touchNamespace(namespace, now),
    tryCleanUpLock: namespaces.tryCleanUpLock,
    retireUnused: namespaces.retireUnused(now),
    findRetired: namespaces.findRetired,
    someEvents: namespaces.someEvents(retired, 10),
    deleteEvents: namespaces.deleteEvents(retired, [ID]),
    someTimelines: namespaces.someTimelines(retired, 10),
    deleteTimelines: namespaces.deleteTimelines(retired, [ID]),
    someIsps: namespaces.someIsps(retired, 10),
    deleteIsps: namespaces.deleteIsps(retired, [ID]),
    deleteNamespace: namespaces.deleteNamespace(retired),
  };

/** Why some statements ask every shard. All others, and listings of one entity, ask one. */
const FAN_OUTS: Partial<Record<keyof typeof SINGLE, string>> = {
  selectNewestId: 'once per process and listing: where its ids end',
  findEventOfIsp: 'of the deletion of an ISP: its events are on all shards',
  retireUnused: 'of the clean-up, once an hour: namespaces of all tenants',
  findRetired: 'of the clean-up: whichever namespace is next',
  someEvents: 'of the clean-up: a namespace has entities on all shards',
  deleteEvents: 'of the clean-up, as above',
  someTimelines: 'of the clean-up, as above',
  deleteTimelines: 'of the clean-up, as above',
};

/** A statement as the service sends it. */
export interface ServiceStatement {
  readonly name: string;
  readonly statement: Statement;
  /** Whether it asks one shard, or none. */
  readonly isOneShard: boolean;
}

/** Each set of filters of the events. */
export function* everyFilter(): Generator<EventFilters> {
  for (const period of [{}, { period: '2026-02-01' }, { period: '2026-01-01', period_end: '2026-02-01' }])
    for (const token of [undefined, ...EVENT_TOKENS])
      for (const entity of [{}, { entity_id: OTHER_ID }])
        for (const modified of [{}, { modified_since: at }]) yield { ...period, ...entity, ...modified, token };
}

function* listings(): Generator<ServiceStatement> {
  const scope = { tenant: 'ano', namespaceId: ID, now, freshHours: 24 };
  for (const [name, byTimeline] of [['events'], ['latest', false], ['latest', true]] as const) {
    for (const filters of everyFilter()) {
      const listing = eventListing(name, scope, filters, { onCluster: true, byTimeline });
      const isOneShard = filters.entity_id !== undefined;
      const words = `${name}${byTimeline ? ' by timeline' : ''} ${JSON.stringify(filters)}`;
      yield { name: `first page of ${words}`, statement: selectPage(listing, { size: 100 }), isOneShard };
      yield { name: `later page of ${words}`, statement: selectPage(listing, { size: 100, from: ID }), isOneShard };
      yield { name: `count of ${words}`, statement: countListing(listing, MAX_EXACT_TOTAL), isOneShard };
      yield { name: `count without limit of ${words}`, statement: countListing(listing), isOneShard };
    }
  }
  for (const name of [undefined, 'One']) {
    const listing = isps.ispListing(ispKey, name);
    for (const statement of [selectPage(listing, { size: 100 }), selectPage(listing, { size: 100, from: ID }), countListing(listing)])
      yield { name: `ISPs of ${name}: ${statement.name}`, statement, isOneShard: true };
  }
}

/** The statements within COPY. */
function* exports(): Generator<ServiceStatement> {
  const scope = { tenant: 'ano', namespaceId: ID, now, freshHours: 24 };
  for (const exportedAs of ['columns', 'json'] as const) {
    for (const filters of everyFilter()) {
      const statement = exportEvents(exportedAs, scope, filters);
      yield { name: `export of ${exportedAs} ${JSON.stringify(filters)}`, statement, isOneShard: filters.entity_id !== undefined };
    }
  }
}

function* entityListings(): Generator<ServiceStatement> {
  const scope = { tenant: 'ano', namespaceId: ID };
  for (const state of [undefined, ...ENTITY_STATES])
    for (const partner_id of [undefined, ID])
      for (const article_code of [undefined, 'A'])
        for (const instant of [undefined, at]) {
          const filters: entities.EntityFilters = { state, partner_id, article_code, at: instant };
          if (entities.isContradiction(filters)) continue;
          const windows = entities.isWindowed(filters) ? [{}, { until: ID }, { from: ID, until: OTHER_ID }] : [{}];
          const words = JSON.stringify(filters);
          const isOneShard = false;
          yield { name: `window after ${words}`, statement: entities.selectNextWindow(scope, filters, ID), isOneShard };
          for (const window of windows) {
            const listing = entities.entityListing(scope, filters, true, window);
            yield { name: `first page of entities ${words}`, statement: selectPage(listing, { size: 100 }), isOneShard };
            yield { name: `later page of entities ${words}`, statement: selectPage(listing, { size: 100, from: ID }), isOneShard };
            yield { name: `count of entities ${words}`, statement: countListing(listing, MAX_EXACT_TOTAL), isOneShard };
          }
        }
}

/** Every statement that event-service sends; the types see to it that none of a `.sql.ts` is left out. */
export const everyStatement: readonly ServiceStatement[] = [
  ...Object.entries(SINGLE).map(([name, statement]) => ({ name, statement, isOneShard: !(name in FAN_OUTS) })),
  ...listings(),
  ...entityListings(),
  ...exports(),
];
