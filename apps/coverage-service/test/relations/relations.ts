import type { Client } from '../access-nodes/access-nodes.js';

export const RELATIONS = '/v2/cov/relations/';

/** A relation in a response. */
export interface Relation {
  readonly relation_id: string;
  readonly name: string;
  readonly pip: string;
  readonly comment?: string;
  readonly tenant: string;
  readonly created_at: string;
  readonly modified_at: string;
}

let created = 0;

/** A valid request body that creates a relation with a unique name; `overrides` are the fields that the test is about. */
export const newRelation = (overrides: Record<string, unknown> = {}): Record<string, unknown> => ({
  name: `relation ${++created}`,
  pip: 'Stadtnetz',
  ...overrides,
});

/** Creates a relation for a test. */
export async function createRelation(client: Client, overrides: Record<string, unknown> = {}): Promise<Relation> {
  const answer = await client.post(RELATIONS).send(newRelation(overrides));
  if (answer.status !== 201) throw new Error(`the relation was not created: ${answer.status} ${answer.text}`);
  return answer.body as Relation;
}

export const relationUrl = ({ relation_id }: { relation_id: string }): string => `${RELATIONS}${relation_id}/`;
