import { EnumField, TextField, UuidField } from '@fibre/dto';
import { COLLECTIONS, type Collection, type Token, TOKENS } from '../access-nodes/access-node.js';

const MODES = ['strict', 'lax'] as const;
export type ImportMode = (typeof MODES)[number];

export class ImportQuery {
  @EnumField(COLLECTIONS, { description: 'Collection the nodes go to.', presence: 'if-present', default: 'nodes' })
  target: Collection = 'nodes';

  @EnumField(MODES, {
    description: '`strict`: all rows or none. `lax`: the good rows are kept, and the answer names the others.',
    presence: 'if-present',
    default: 'strict',
  })
  mode: ImportMode = 'strict';

  @EnumField(['true', 'false'], { description: 'Does everything and keeps nothing.', presence: 'if-present', default: 'false' })
  dry_run: 'true' | 'false' = 'false';

  @UuidField({ description: 'The relation of all rows; a row that names another one is refused.', presence: 'if-present' })
  relation_id?: string;

  @EnumField(TOKENS, { description: 'The stage of all rows; a row that names another one is refused.', presence: 'if-present' })
  token?: Token;
}

export class ImportHeaders {
  @TextField(1, 255, {
    description: 'Your name for this import: sent again with the same file within 24 hours, it gets the first answer and changes nothing.',
    presence: 'if-present',
  })
  'idempotency-key'?: string;
}
