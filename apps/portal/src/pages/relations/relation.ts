import type { CountedRelation, FibreClient, Relation } from '@fibre/client';

export type { CountedRelation, Relation };

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

export const createRelation = ({ coverage }: FibreClient, { name, pip, comment }: RelationValues): Promise<Relation> =>
  coverage.relations.create({ name, pip, ...(comment !== '' && { comment }) });

export async function readRelation({ coverage }: FibreClient, id: string, signal?: AbortSignal): Promise<Version> {
  const { data, response } = await coverage.relations.read(id, { signal }).withResponse();
  return { relation: data, etag: response.headers.get('etag') ?? '*' };
}

/** Saves unless somebody else has since {@link Version.etag}. */
export const updateRelation = ({ coverage }: FibreClient, { relation, etag }: Version, values: RelationValues): Promise<Relation> =>
  coverage.relations.update(relation.relation_id, { ...values, comment: values.comment || null }, { ifMatch: etag });

export const deleteRelation = ({ coverage }: FibreClient, { relation, etag }: Version): Promise<void> =>
  coverage.relations.delete(relation.relation_id, { ifMatch: etag });
