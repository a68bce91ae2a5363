import { membersOf } from '@fibre/dto';
import { getMetadataArgsStorage } from 'typeorm';
import { Relation } from './relation.entity.js';
import { CreateRelationRequest, UpdateRelationRequest } from './relation.requests.js';
import { CountedRelationResponse, RelationResponse, toRelationResponse } from './relation.response.js';

/** Columns that clients cannot set: first those that responses show, then the one that they do not show. */
const ASSIGNED = ['tenant', 'relation_id', 'created_at', 'created_by', 'modified_at', 'modified_by'];
const HIDDEN = ['version'];
const COUNTS = ['prenodes', 'nodes'];

const columns = getMetadataArgsStorage()
  .columns.filter(({ target }) => target === Relation)
  .map(({ propertyName }) => propertyName);
const settable = columns.filter((name) => ![...ASSIGNED, ...HIDDEN].includes(name));
const documented = (type: new () => object): string[] =>
  (Reflect.getMetadata('swagger/apiModelPropertiesArray', type.prototype as object) as string[]).map((name) => name.replace(':', ''));

test('requests have every field that a client can set, and an update rejects the others by name', () => {
  expect([...membersOf(CreateRelationRequest).keys()].sort()).toEqual([...settable].sort());
  expect([...membersOf(UpdateRelationRequest).keys()].sort()).toEqual([...settable, ...ASSIGNED, ...COUNTS].sort());
});

test('responses show every column except the version', () => {
  const relation = Object.fromEntries(columns.map((name) => [name, name.endsWith('_at') ? new Date(0) : name]));
  const shown = [...settable, ...ASSIGNED].sort();
  expect(Object.keys(toRelationResponse(relation as unknown as Relation)).sort()).toEqual(shown);
  expect(documented(RelationResponse).sort()).toEqual(shown);
  expect(documented(CountedRelationResponse).sort()).toEqual([...shown, ...COUNTS].sort());
});
