import { randomUUID } from 'node:crypto';
import { AUTHORS } from '@fibre/dto';
import type { TestService } from '@fibre/testing';
import type { Response } from 'supertest';
import { PRIVATE_FIELDS } from '../../src/access-nodes/access-node.js';

export const NODES = '/v2/cov/nodes/';
export const SEARCH = '/v2/cov/search/';
export const ALL_SCOPES = 'coverage:read coverage:write coverage:search';
export const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/;

/** A client that sends a token with every request. */
export type Client = Awaited<ReturnType<TestService['as']>>;

/** A node in a response. */
export interface Node {
  readonly [member: string]: string | undefined;
  readonly node_id: string;
  readonly relation_id: string;
  readonly created_at: string;
  readonly modified_at: string;
}

/** A client with every scope of the service. */
export const operator = (service: TestService, tenant = 'ano.test'): Promise<Client> => service.as({ tenant, scope: ALL_SCOPES });

/** A valid request body that creates a node; `overrides` are the fields that the test is about. */
export const newNode = (overrides: Record<string, unknown> = {}): Record<string, unknown> => ({
  relation_id: randomUUID(),
  token: 'planned',
  center: '48.208555, 16.372966',
  ...overrides,
});

/** Creates a node for a test. */
export async function create(client: Client, overrides: Record<string, unknown> = {}, target = 'nodes'): Promise<Node> {
  const answer = await client.post(NODES).query({ target }).send(newNode(overrides));
  if (answer.status !== 201) throw new Error(`the node was not created: ${answer.status} ${answer.text}`);
  return answer.body as Node;
}

/** What other tenants see of a node. */
export const publicOf = (node: Node): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(node).filter(([name]) => !PRIVATE.includes(name)));
const PRIVATE: readonly string[] = [...PRIVATE_FIELDS, ...AUTHORS];

/** The nodes on the first page of a listing. */
export async function list(client: Client, query: Record<string, unknown>): Promise<Node[]> {
  const answer = await client.get(NODES).query(query);
  if (answer.status !== 200) throw new Error(`the listing failed: ${answer.status} ${answer.text}`);
  return answer.body as Node[];
}

export const idsOf = (nodes: readonly Node[]): string[] => nodes.map(({ node_id }) => node_id);

/** Checks that a response is a well-formed problem (RFC 9457), and returns its relevant parts. */
export function problemOf(answer: Response): { status: number; code: string; offenders: string[] } {
  expect(answer.headers['content-type']).toBe('application/problem+json');
  const body = answer.body as Record<string, unknown> & { code: string; errors?: { pointer?: string; parameter?: string }[] };
  expect(body).toMatchObject({
    type: `urn:open-access-fibre:problem:${body.code}`,
    title: expect.stringMatching(/./),
    status: answer.status,
    detail: expect.stringMatching(/./),
    instance: expect.stringMatching(/^\//),
    code: expect.stringMatching(/^[a-z]+(-[a-z]+)*$/),
    request_id: answer.headers['x-request-id'],
  });
  return {
    status: answer.status,
    code: body.code,
    offenders: (body.errors ?? []).map(({ pointer, parameter }) => pointer ?? parameter ?? '').sort(),
  };
}

/** Result of {@link problemOf} for a request with invalid parts. */
export const invalid = (...offenders: string[]) => ({ status: 422, code: 'invalid-request', offenders: offenders.sort() });
/** Result of {@link problemOf} for any other error. */
export const refusal = (status: number, code: string) => ({ status, code, offenders: [] });
