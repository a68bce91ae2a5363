import { randomUUID } from 'node:crypto';
import { Timestamp } from '@fibre/dto';
import { startTestService, type TestService } from '@fibre/testing';
import pg from 'pg';
import type { Response } from 'supertest';
import { NIL as PRODUCTION } from 'uuid';
import { canonicalSysAttributes, hashSysAttributes } from '../../src/event-attributes/sys-attributes.js';
import { eventService } from '../../src/event-service.js';
import type { EventType } from '../../src/timeline/timeline.js';
import { appendEvent } from '../../src/events/event.sql.js';
import { shardKeyOf } from '../../src/timeline/event-id.js';

export const EVENTS = '/api/v2/sys/events/';
export const ENTITIES = '/api/v2/sys/entities/';
export const PARTNER = '11111111-1111-4111-8111-111111111111';
export const READ_WRITE = { scope: 'events:read events:write' };

type Body = Record<string, unknown>;
type Client = Awaited<ReturnType<TestService['as']>>;

/** A valid request of this type, at 12:00 in Vienna on the given day in January 2026; `overrides` are the fields that the test is about. */
export const activation = (entity_id: string, day: number, overrides: Body = {}): Body => ({
  ...lifecycle(entity_id, 'activation', day),
  sys_attributes: { partner_id: PARTNER, article_codes: ['FIBRE-100'] },
  ...overrides,
});
export const update = (entity_id: string, day: number, overrides: Body = {}): Body => ({
  ...lifecycle(entity_id, 'update', day),
  sys_attributes: { article_codes: ['FIBRE-250'] },
  ...overrides,
});
export const deactivation = (entity_id: string, day: number, overrides: Body = {}): Body => ({
  ...lifecycle(entity_id, 'deactivation', day),
  ...overrides,
});
export const notification = (entity_id: string, day: number, overrides: Body = {}): Body => ({
  ...lifecycle(entity_id, 'notification', day),
  ...overrides,
});

const lifecycle = (entity_id: string, event_type: string, day: number): Body => ({
  entity_id,
  event_type,
  event_at: `2026-01-${String(day).padStart(2, '0')}T12:00:00+01:00`,
});

export const newEntity = (): string => randomUUID();

export type Events = Awaited<ReturnType<typeof startEvents>>;

/** The service, and a client with every scope in one tenant. */
export async function startEvents(environment: Record<string, string> = {}) {
  const service = await startTestService(eventService, environment);
  const client = await service.as(READ_WRITE);
  return { service, client, ...requestsOf(client) };
}

let tenants = 0;

/** A tenant without events. */
export async function newTenant(service: TestService) {
  const client = await service.as({ ...READ_WRITE, tenant: `ano.t${++tenants}` });
  return { client, ...requestsOf(client) };
}

/** Functions that send the API's requests through one client. */
export function requestsOf(client: Client, headers: Record<string, string> = {}) {
  const put = (body: Body): Promise<Response> => client.put(EVENTS).set(headers).send(body);
  const putText = (text: string): Promise<Response> =>
    client
      .put(EVENTS)
      .set({ ...headers, 'content-type': 'application/json' })
      .send(text);
  const get = (path = ''): Promise<Response> => client.get(`${EVENTS}${path}`).set(headers);
  /** Records new events one by one, and returns their ids. */
  const record = async (...bodies: Body[]): Promise<string[]> => {
    const ids: string[] = [];
    for (const body of bodies) {
      const response = await put(body);
      expect([response.status, response.text]).toEqual([201, expect.any(String)]);
      ids.push(response.body.event_id as string);
    }
    return ids;
  };
  const entities = (path = ''): Promise<Response> => client.get(`${ENTITIES}${path}`).set(headers);
  /** The ids of the events on a page. */
  const ids = async (path = ''): Promise<string[]> => ((await get(path)).body as { event_id: string }[]).map(({ event_id }) => event_id);
  /** Sends an invalid body and returns the parts that the error names. */
  const refused = async (body: Body): Promise<string[]> => {
    const response = await put(body);
    expect([response.status, response.body.code]).toEqual([422, 'invalid-request']);
    return offenders(response);
  };
  return { put, putText, get, entities, record, ids, refused };
}

/**
 * Records thousands of valid events by the statement of the service, which takes a fraction of the time of requests. Each is the last of its
 * entity, which has `version` events before.
 */
export async function append(
  databaseUrl: string,
  tenant: string,
  events: Iterable<readonly [version: number, body: object]>,
): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    for (const [version, body] of events) {
      const { entity_id, event_type, event_at, event_timezone = 'UTC', sys_attributes } = body as Record<string, string>;
      const sysAttributes = sys_attributes === undefined ? null : canonicalSysAttributes(sys_attributes as unknown as object);
      const { text, values } = appendEvent(
        { tenant, namespaceId: PRODUCTION, entityId: entity_id!, shardKey: shardKeyOf(entity_id!) },
        { version, isLast: true },
        {
          type: event_type as EventType,
          at: Timestamp.parse(event_at!)!,
          timezone: event_timezone,
          sysAttributes,
          sysHash: hashSysAttributes(sysAttributes),
          actor: null,
          user: { usr_reference: null, usr_attributes: null, comment: null },
        },
      );
      expect((await client.query(text, values)).rows).toEqual([expect.objectContaining({ outcome: 'added' })]);
    }
  } finally {
    await client.end();
  }
}

/** The pointers and parameters that an error names. */
export const offenders = (response: Response): string[] =>
  (response.body.errors as { pointer?: string; parameter?: string }[]).map(({ pointer, parameter }) => pointer ?? parameter ?? '');

export interface WrongTimeline {
  readonly entity_id: string;
}

/** Entities whose timeline has a wrong number of events or a wrong time of the last lifecycle event. */
export const wrongHeads = (databaseUrl: string, client?: pg.Client): Promise<WrongTimeline[]> =>
  sql(
    databaseUrl,
    `with said as (
       select tenant, namespace_id, entity_id, shard_key, count(*) as version, max(event_at) filter (where event_type <> 'notification') as lifecycle_at
       from event group by 1, 2, 3, 4
     )
     select t.entity_id from timeline t left join said s using (tenant, namespace_id, entity_id, shard_key)
     where (t.version, t.lifecycle_at) is distinct from (s.version::int, s.lifecycle_at)`,
    [],
    client,
  );

/** Timelines whose state, and events whose ISP, does not match the events, according to independent SQL. */
export const wrongStates = (databaseUrl: string, client?: pg.Client): Promise<WrongTimeline[]> =>
  sql(databaseUrl, WRONG_STATES, [], client);
const WRONG_STATES = `with numbered as (
       select e.*, count(*) filter (where event_type = 'activation') over timeline as life,
         row_number() over (partition by tenant, namespace_id, entity_id, shard_key, event_type <> 'notification' order by event_at desc) as back
       from event e window timeline as (partition by tenant, namespace_id, entity_id, shard_key order by (event_type = 'notification'), event_at)
     ), said as (
       select tenant, namespace_id, entity_id, shard_key,
         coalesce(max(case event_type when 'deactivation' then 'inactive' else 'active' end) filter (where back = 1 and event_type <> 'notification'),
           'announced') as state,
         min(event_at) filter (where event_type = 'notification') as told,
         max(event_at) filter (where event_type = 'activation') as began,
         max(event_at) filter (where event_type = 'deactivation') as ended,
         max(life) as last_life
       from numbered group by 1, 2, 3, 4
     ), expected as (
       select s.*, p.* from said s left join lateral (
         select (array_agg(n.sys_attributes ->> 'partner_id' order by n.event_at) filter (where n.event_type = 'activation'))[1]::uuid as partner,
           (array_agg(n.sys_attributes ->> 'article_codes' order by n.event_at desc))[1] as codes,
           (array_agg(n.sys_attributes ->> 'option82' order by n.event_at desc) filter (where n.sys_attributes ->> 'option82' is not null))[1] as line,
           (array_agg(n.sys_attributes ->> 'partner_reference' order by n.event_at desc)
             filter (where n.sys_attributes ->> 'partner_reference' is not null))[1] as reference
         from numbered n
         where (n.tenant, n.namespace_id, n.entity_id, n.shard_key) = (s.tenant, s.namespace_id, s.entity_id, s.shard_key)
           and n.event_type <> 'notification' and n.life = s.last_life
       ) p on true
     )
     select t.entity_id
     from timeline t left join expected x using (tenant, namespace_id, entity_id, shard_key)
     where t.state is distinct from x.state
       or t.state_since is distinct from case x.state when 'active' then x.began when 'inactive' then x.ended else x.told end
       or (t.partner_id, t.option82, t.partner_reference) is distinct from (x.partner, x.line, x.reference)
       or array_to_json(t.article_codes)::jsonb is distinct from x.codes::jsonb
     union all
     select e.entity_id
     from event e
     where e.partner_id is distinct from coalesce((e.sys_attributes ->> 'partner_id')::uuid, (
       select (array_agg((a.sys_attributes ->> 'partner_id')::uuid order by a.event_at desc))[1]
       from event a
       where (a.tenant, a.namespace_id, a.entity_id, a.shard_key) = (e.tenant, e.namespace_id, e.entity_id, e.shard_key)
         and a.event_type = 'activation' and a.event_at <= e.event_at
     ))`;

/** Timelines whose recording times or last event do not match their events. */
export const wrongRecords = (databaseUrl: string, client?: pg.Client): Promise<WrongTimeline[]> =>
  sql(
    databaseUrl,
    `select t.entity_id
     from timeline t left join (
       select tenant, namespace_id, entity_id, shard_key, (array_agg(created_at order by sequence))[1] as created_at,
         max(modified_at) as modified_at, (array_agg(event_id order by sequence desc))[1] as last_event_id
       from event group by tenant, namespace_id, entity_id, shard_key
     ) e using (tenant, namespace_id, entity_id, shard_key)
     where (t.created_at, t.modified_at, t.last_event_id) is distinct from (e.created_at, e.modified_at, e.last_event_id)`,
    [],
    client,
  );

/** Runs one SQL statement, for what cannot be done with a request. */
export async function sql<T extends object>(databaseUrl: string, text: string, values: unknown[] = [], within?: pg.Client): Promise<T[]> {
  if (within) return (await within.query<T>(text, values)).rows;
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<T>(text, values)).rows;
  } finally {
    await client.end();
  }
}
