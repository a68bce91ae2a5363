import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import type * as Lists from '../../../apps/event-service/src/event-lists/event-lists.sql.js';
import type * as Writing from '../../../apps/event-service/src/events/event-write.sql.js';
import type * as Attributes from '../../../apps/event-service/src/events/sys-attributes.js';
import type * as Ids from '../../../apps/event-service/src/timeline/event-id.js';
import type * as ShardKeys from '../../../apps/event-service/src/timeline/shard-key.js';
import type * as Cursors from '../../../libs/pagination/src/cursor.js';
import { WORKSPACE } from '../../workspace.js';
import { TENANT } from './load-events.js';


/** As much of a request as the bench sends. */
interface Body {
  entity_id: string;
  event_type: Writing.RequestedEvent['type'];
  event_at: string;
  event_timezone: string;
  sys_attributes: object;
  usr_reference: string;
}

/** The very statements of the built service, so that the two sides cannot drift apart. */
const built = (file: string): Promise<unknown> => import(join(WORKSPACE, file));
const { readForLifecycle, appendEvent } = (await built('apps/event-service/dist/events/event-write.sql.js')) as typeof Writing;
const { hashSysAttributes } = (await built('apps/event-service/dist/events/sys-attributes.js')) as typeof Attributes;
const { selectPage } = (await built('apps/event-service/dist/event-lists/event-lists.sql.js')) as typeof Lists;
const { EventIds } = (await built('apps/event-service/dist/timeline/event-id.js')) as typeof Ids;
const { shardKeyOf } = (await built('apps/event-service/dist/timeline/shard-key.js')) as typeof ShardKeys;
const { decodeCursor } = (await built('libs/pagination/dist/cursor.js')) as typeof Cursors;

/** The floor of what can be had: `node:http` and the statements, without token, validation, log or metrics. */
const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: Number(process.env.DATABASE_POOL_SIZE),
  idleTimeoutMillis: 30_000,
  options: '-c timezone=UTC',
});
const NAMESPACE = '00000000-0000-0000-0000-000000000000';
const ids = new EventIds();

interface Answer {
  status: number;
  json: string;
}

async function put(text: string): Promise<Answer> {
  const body = JSON.parse(text) as Body;
  const key = { tenant: TENANT, namespaceId: NAMESPACE, entityId: body.entity_id, shardKey: shardKeyOf(body.entity_id) };
  const requested = toRequested(body);
  const { rows: found } = await pool.query<{ role: string; version: number; json: string }>(readForLifecycle(key, requested));
  const twin = found.find(({ role }) => role === 'twin');
  if (twin) return { status: 200, json: twin.json };
  const version = found.find(({ role }) => role === 'head')?.version ?? 0;
  const { rows } = await pool.query<{ json: string }>(appendEvent(key, version, requested, { eventId: ids.next(key.shardKey), now: new Date() }));
  return { status: 201, json: rows[0]!.json };
}

/** What the bench sends is canonical already, and dated as its zone has it. */
function toRequested(body: Body): Writing.RequestedEvent {
  const sysAttributes = JSON.stringify(body.sys_attributes);
  return {
    type: body.event_type,
    at: body.event_at,
    timezone: body.event_timezone,
    date: body.event_at.slice(0, 10),
    sysAttributes,
    sysHash: hashSysAttributes(sysAttributes),
    usrReference: body.usr_reference,
    usrAttributes: null,
    comment: null,
  };
}

async function page({ pathname, searchParams }: URL): Promise<Answer> {
  const from = decodeCursor(searchParams.get('_page_cursor')!)?.from;
  const scope = { tenant: TENANT, namespaceId: NAMESPACE, now: new Date(), freshHours: 24 };
  const statement = selectPage(pathname.endsWith('/latest') ? 'latest' : 'events', scope, {}, { size: Number(searchParams.get('_page_size')), from });
  const { rows } = await pool.query<{ json: string }>(statement);
  return { status: 200, json: rows[0]!.json };
}

/** By events, which take less time than iterating. */
const bodyOf = (request: IncomingMessage): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk)).on('end', () => resolve(text)).on('error', reject);
  });

const server = createServer((request, response) => {
  const answer = request.method === 'PUT' ? bodyOf(request).then(put) : page(new URL(request.url!, 'http://localhost'));
  answer.then(
    ({ status, json }) => response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) }).end(json),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
