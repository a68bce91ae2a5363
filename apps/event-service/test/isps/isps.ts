import type { TestService } from '@fibre/testing';
import type { Response } from 'supertest';

export const ISPS = '/api/v2/sys/isps/';

type Client = Awaited<ReturnType<TestService['as']>>;
type Body = Record<string, unknown>;

let names = 0;

/** A unique name. */
export const newName = (): string => `ISP ${++names}`;

/** The requests of the registry, for one client. */
export function registryOf(client: Client, headers: Record<string, string> = {}) {
  return {
    post: (body: Body = { name: newName() }): Promise<Response> => client.post(ISPS).set(headers).send(body),
    put: (partnerId: string, body: Body = { name: newName() }, more: Record<string, string> = {}): Promise<Response> =>
      client
        .put(`${ISPS}${partnerId}/`)
        .set({ ...headers, ...more })
        .send(body),
    get: (path = '', more: Record<string, string> = {}): Promise<Response> => client.get(`${ISPS}${path}`).set({ ...headers, ...more }),
    remove: (partnerId: string, more: Record<string, string> = {}): Promise<Response> =>
      client.delete(`${ISPS}${partnerId}/`).set({ ...headers, ...more }),
  };
}
