import type pg from 'pg';
import type * as Lists from '../../../apps/event-service/src/event-lists/event-lists.sql.js';
import type { RequestedEvent } from '../../../apps/event-service/src/events/event.js';
import type * as Writing from '../../../apps/event-service/src/events/event-write.sql.js';
import type * as Attributes from '../../../apps/event-service/src/event-attributes/sys-attributes.js';
import type * as Ids from '../../../apps/event-service/src/timeline/event-id.js';
import type * as ShardKeys from '../../../apps/event-service/src/timeline/shard-key.js';
import type * as Pages from '../../../libs/database/src/pages/page.sql.js';
import type * as Timestamps from '../../../libs/dto/src/timestamp.js';
import type * as Cursors from '../../../libs/pagination/src/cursor.js';
import type { BareAnswer, BareRoutes } from '../bare-server.js';
import { built } from '../built.js';
import { type Activation, EVENTS } from './activation.js';
import { NAMESPACE, TENANT } from './load-events.js';

const { readHead, readAtInstant, appendEvent, selectEvent } = await built<typeof Writing>(
  'apps/event-service/dist/events/event-write.sql.js',
);
const { hashSysAttributes } = await built<typeof Attributes>('apps/event-service/dist/event-attributes/sys-attributes.js');
const { eventListing } = await built<typeof Lists>('apps/event-service/dist/event-lists/event-lists.sql.js');
const { selectPage } = await built<typeof Pages>('libs/database/dist/pages/page.sql.js');
const { EventIds, shardKeyInId } = await built<typeof Ids>('apps/event-service/dist/timeline/event-id.js');
const { Timestamp } = await built<typeof Timestamps>('libs/dto/dist/timestamp.js');
const { Cursor } = await built<typeof Cursors>('libs/pagination/dist/cursor.js');

const ids = new EventIds();
/** The one of all that the bench sends. */
let eventAt: Timestamps.Timestamp | undefined;

async function put(pool: pg.Pool, _url: URL, text: string): Promise<BareAnswer> {
  const body = JSON.parse(text) as Activation;
  const key = { tenant: TENANT, namespaceId: NAMESPACE, entityId: body.entity_id, shardKey: shardKeyOf(body.entity_id) };
  const requested = toRequested(body);
  const [head] = (await pool.query<{ version: number; place: string }>(readHead(key, requested))).rows;
  if (head?.place === 'same')
    return { status: 200, json: (await pool.query<{ json: string }>(readAtInstant(key, requested))).rows[0]!.json };
  const read = { version: head?.version ?? 0, isLast: true };
  const now = new Date();
  const { rows } = await pool.query<{ json: string }>(appendEvent(key, read, requested, { eventId: ids.next(key.shardKey, now), now }));
  return { status: 201, json: rows[0]!.json };
}

/** What the bench sends is canonical already, and dated as its zone has it. */
function toRequested(body: Activation): RequestedEvent {
  const sysAttributes = JSON.stringify(body.sys_attributes);
  return {
    type: body.event_type,
    at: (eventAt ??= Timestamp.parse(body.event_at)!),
    timezone: body.event_timezone,
    sysAttributes,
    sysHash: hashSysAttributes(sysAttributes),
    isp: { partnerId: body.sys_attributes.partner_id, isRequired: false },
    user: { usr_reference: body.usr_reference, usr_attributes: null, comment: null },
  };
}

async function page(pool: pg.Pool, { searchParams }: URL): Promise<BareAnswer> {
  const from = Cursor.parse(searchParams.get('_page_cursor'))?.from;
  const scope = { tenant: TENANT, namespaceId: NAMESPACE, now: new Date(), freshHours: 24 };
  const listing = eventListing('events', scope, {});
  const { rows } = await pool.query<{ json: string }>(selectPage(listing, { size: Number(searchParams.get('_page_size')), from }));
  return { status: 200, json: `[${rows.map(({ json }) => json).join(',')}]` };
}

async function one(pool: pg.Pool, { pathname }: URL): Promise<BareAnswer> {
  const id = pathname.slice(pathname.lastIndexOf('/') + 1);
  const key = { tenant: TENANT, namespaceId: NAMESPACE, shardKey: shardKeyInId(id) };
  return { status: 200, json: (await pool.query<{ json: string }>(selectEvent(key, id))).rows[0]!.json };
}

const routes: BareRoutes = { [`PUT ${EVENTS}`]: put, [`GET ${EVENTS}`]: page, [`GET ${EVENTS}/*`]: one };
export default routes;
