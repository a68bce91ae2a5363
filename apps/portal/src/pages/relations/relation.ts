import type { components } from '../../api/generated/coverage.js';
import { type Apis, answer } from '../../api/clients.js';

export type Relation = components['schemas']['RelationResponse'];
export type CountedRelation = components['schemas']['CountedRelationResponse'];

/** What a person may say of a relation. */
export type RelationValues = Record<'name' | 'pip' | 'comment', string>;
export const NO_VALUES: RelationValues = { name: '', pip: '', comment: '' };
export const REQUIRED = ['name', 'pip'] as const;

export const valuesOf = ({ name, pip, comment = '' }: Relation): RelationValues => ({ name, pip, comment });

/** A relation as it is at a moment, and the entity tag that says which. */
export interface Version {
  readonly relation: CountedRelation;
  readonly etag: string;
}

const at = (relation_id: string) => ({ path: { relation_id } });

export async function createRelation({ coverage }: Apis, { name, pip, comment }: RelationValues): Promise<Relation> {
  const body = { name, pip, ...(comment !== '' && { comment }) };
  return (await answer(coverage.POST('/v2/cov/relations', { body }))).data;
}

export async function readRelation({ coverage }: Apis, id: string, signal?: AbortSignal): Promise<Version> {
  const { data, response } = await answer(coverage.GET('/v2/cov/relations/{relation_id}', { params: at(id), signal }));
  return { relation: data, etag: response.headers.get('etag') ?? '*' };
}

/** Saves unless somebody else has since {@link Version.etag}. */
export async function updateRelation({ coverage }: Apis, { relation, etag }: Version, values: RelationValues): Promise<void> {
  const { name, pip, comment } = values;
  const params = { ...at(relation.relation_id), header: { 'if-match': etag } };
  await answer(coverage.PATCH('/v2/cov/relations/{relation_id}', { params, body: { name, pip, comment: comment || null } }));
}

export async function deleteRelation({ coverage }: Apis, { relation, etag }: Version): Promise<void> {
  const params = { ...at(relation.relation_id), header: { 'if-match': etag } };
  await answer(coverage.DELETE('/v2/cov/relations/{relation_id}', { params }));
}
