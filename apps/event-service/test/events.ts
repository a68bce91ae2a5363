import { randomUUID } from 'node:crypto';
import { startTestService, type TestService } from '@fibre/testing';
import pg from 'pg';
import type { Response } from 'supertest';
import { eventService } from '../src/event-service.js';

export const EVENTS = '/api/v2/sys/events/';
export const PARTNER = '11111111-1111-4111-8111-111111111111';
export const READ_WRITE = { scope: 'events:read events:write' };

type Body = Record<string, unknown>;
type Client = Awaited<ReturnType<TestService['as']>>;

/** A valid request of its type, at 12:00 in Vienna on a day of January 2026; override what the test is about. */
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

/** The service and a client that may do everything in one tenant. */
export async function startEvents(environment: Record<string, string> = {}) {
  const service = await startTestService(eventService, environment);
  const client = await service.as(READ_WRITE);
  return { service, client, ...requestsOf(client) };
}

let tenants = 0;

/** A tenant that has no event yet. */
export async function newTenant(service: TestService) {
  const client = await service.as({ ...READ_WRITE, tenant: `ano.t${++tenants}` });
  return { client, ...requestsOf(client) };
}

/** The requests of the API, by one client. */
export function requestsOf(client: Client, headers: Record<string, string> = {}) {
  const put = (body: Body): Promise<Response> => client.put(EVENTS).set(headers).send(body);
  const putText = (text: string): Promise<Response> =>
    client
      .put(EVENTS)
      .set({ ...headers, 'content-type': 'application/json' })
      .send(text);
  const get = (path = ''): Promise<Response> => client.get(`${EVENTS}${path}`).set(headers);
  /** Records new events, one after the other: their ids. */
  const record = async (...bodies: Body[]): Promise<string[]> => {
    const ids: string[] = [];
    for (const body of bodies) {
      const response = await put(body);
      expect([response.status, response.text]).toEqual([201, expect.any(String)]);
      ids.push(response.body.event_id as string);
    }
    return ids;
  };
  /** What a page of a list shows. */
  const ids = async (path = ''): Promise<string[]> => ((await get(path)).body as { event_id: string }[]).map(({ event_id }) => event_id);
  /** Sends an invalid body and gives what the refusal names. */
  const refused = async (body: Body): Promise<string[]> => {
    const response = await put(body);
    expect([response.status, response.body.code]).toEqual([422, 'invalid-request']);
    return offenders(response);
  };
  return { put, putText, get, record, ids, refused };
}

/** What a refusal names, in one line. */
export const offenders = (response: Response): string[] =>
  (response.body.errors as { pointer?: string; parameter?: string }[]).map(({ pointer, parameter }) => pointer ?? parameter ?? '');

/** Entities whose head does not say which lifecycle event is the last one, or says it wrongly. */
export const wrongHeads = (databaseUrl: string): Promise<{ entity_id: string }[]> =>
  sql(
    databaseUrl,
    `with last as (
       select distinct on (tenant, namespace_id, entity_id, shard_key) * from event where event_type <> 'notification'
       order by tenant, namespace_id, entity_id, shard_key, event_at desc
     )
     select t.entity_id from timeline t left join last e using (tenant, namespace_id, entity_id, shard_key)
     where t.lifecycle_version is distinct from t.version
       or (t.lifecycle_id, t.lifecycle_type, t.lifecycle_at) is distinct from (e.event_id, e.event_type, e.event_at)`,
  );

/** Runs one statement: what a test needs and no request can bring about. */
export async function sql<T extends object>(databaseUrl: string, text: string, values: unknown[] = []): Promise<T[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<T>(text, values)).rows;
  } finally {
    await client.end();
  }
}
