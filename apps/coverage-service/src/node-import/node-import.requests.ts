import { EnumField, IntegerParameter, Satisfies, TextField, UuidField } from '@fibre/dto';
import { COLLECTIONS, type Collection, type Token, TOKENS } from '../access-nodes/access-node.js';

const MODES = ['strict', 'lax'] as const;
export type ImportMode = (typeof MODES)[number];

const ABSENT = ['keep', 'delete'] as const;

/** Deletes only what a person or program has named in full: one relation, by references, from a file of which no row is missing. */
function absentFault(value: unknown, { relation_id, mode }: ImportQuery): string | undefined {
  const needed = [relation_id === undefined && 'relation_id', mode !== 'strict' && 'mode=strict'].filter(Boolean);
  return value === 'delete' && needed.length > 0 ? `delete needs ${needed.join(' and ')}` : undefined;
}

export class ImportQuery {
  @EnumField(COLLECTIONS, { description: 'Collection to import into.', presence: 'if-present', default: 'nodes' })
  target: Collection = 'nodes';

  @EnumField(MODES, {
    description: '`strict`: all rows or none. `lax`: keeps the good rows and reports the others.',
    presence: 'if-present',
    default: 'strict',
  })
  mode: ImportMode = 'strict';

  @EnumField(['true', 'false'], {
    description: 'Checks and reports everything, but changes nothing.',
    presence: 'if-present',
    default: 'false',
  })
  dry_run: 'true' | 'false' = 'false';

  @UuidField({ description: 'The relation of all rows; a row with another one is rejected.', presence: 'if-present' })
  relation_id?: string;

  @EnumField(TOKENS, { description: 'The stage of all rows; a row with another one is rejected.', presence: 'if-present' })
  token?: Token;

  @EnumField(ABSENT, {
    description:
      'What happens to the nodes of the relation that no row names. `delete`: the file is the whole truth, so they are deleted from the collection, ' +
      'and so are nodes without a customer reference. Needs `relation_id`, `mode=strict` and a `customer_reference` in every row.',
    presence: 'if-present',
    default: 'keep',
  })
  @Satisfies(absentFault)
  absent: (typeof ABSENT)[number] = 'keep';

  @IntegerParameter(0, 999_999_999, {
    description:
      'With `absent=delete`: the import is rejected if it would delete more nodes. The default is 10 or a tenth of the nodes, whichever is more.',
    presence: 'if-present',
  })
  @Satisfies((_value, { absent }: ImportQuery) => (absent === 'delete' ? undefined : 'only applies with absent=delete'))
  max_deleted?: number;
}

export class ImportHeaders {
  @TextField(1, 255, {
    description: 'Your key for this import. Repeating the key and file within 24 hours returns the first response and changes nothing.',
    presence: 'if-present',
  })
  'idempotency-key'?: string;
}

/** A tenant's request to import a file. */
export interface ImportRequest {
  readonly tenant: string;
  readonly actor: string | null;
  readonly query: ImportQuery;
  readonly idempotencyKey: string | undefined;
  /** Aborts the import, with a reason, when the client disconnects. */
  readonly signal: AbortSignal;
}
