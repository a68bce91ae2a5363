import type { TestService } from '@fibre/testing';
import { activation, READ_WRITE, requestsOf, sql } from '../events/events.js';
import { newName, registryOf } from '../isps/isps.js';
import { nextOf } from '../service/pages.js';

export const LINES = '/api/v2/sys/charges/lines/';

type Client = Awaited<ReturnType<TestService['as']>>;

export interface Line {
  readonly line_id: string;
  readonly tenant: string;
  readonly entity_id: string;
  readonly partner_id: string;
  readonly since: string;
  readonly article_codes: string[];
  readonly option82?: string;
  readonly partner_reference?: string;
}

/** The requests of an operator, in a tenant of its own. */
export async function operatorOf(service: TestService, tenant: string) {
  const client = await service.as({ ...READ_WRITE, tenant });
  const eraser = await service.as({ scope: 'events:erase', tenant });
  const isps = registryOf(client);
  /** Registers an ISP, and returns its id. */
  const register = async (isp_tenant?: string): Promise<string> => {
    const { status, body } = await isps.post({ name: newName(), ...(isp_tenant && { isp_tenant }) });
    expect(status).toBe(201);
    return body.partner_id as string;
  };
  const erase = async (entity: string, query = { line: 'true' }) =>
    void (await eraser.delete(`/api/v2/sys/entities/${entity}/personal-data`).query(query).expect(204));
  return { tenant, client, isps, register, erase, ...requestsOf(client) };
}

export const ispOf = (service: TestService, tenant: string): Promise<Client> => service.as({ tenant, scope: 'charges:read' });

/** An activation by an ISP. */
export const activated = (entity: string, partner_id: string, day: number, line: object = {}, overrides: object = {}) =>
  activation(entity, day, { sys_attributes: { partner_id, article_codes: ['FIBRE-100'], ...line }, ...overrides });

/** Reads all pages of a list. */
export async function linesOf(client: Client, query: object = {}, size = 500): Promise<Line[]> {
  const items: Line[] = [];
  for (
    let url: string | undefined = `${LINES}?${new URLSearchParams({ ...query, _page_size: String(size) }).toString()}`;
    url !== undefined;
  ) {
    const page = await client.get(url);
    expect([url, page.status, page.text]).toEqual([url, 200, expect.any(String)]);
    items.push(...(page.body as Line[]));
    const next = nextOf(page);
    url = next?.slice(new URL(next).origin.length);
  }
  return items;
}

/** Everything that the database stores for a tenant in these tables. */
export const storedOf = async (service: TestService, tenant: string, ...tables: string[]): Promise<string> =>
  JSON.stringify(
    await Promise.all(
      tables.map((table) => sql(service.databaseUrl, `select t::text as row from ${table} t where t.tenant = $1`, [tenant])),
    ),
  );
