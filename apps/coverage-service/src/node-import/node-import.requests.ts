import { EnumField, TextField, UuidField } from '@fibre/dto';
import { COLLECTIONS, type Collection, type Token, TOKENS } from '../access-nodes/access-node.js';

const MODES = ['strict', 'lax'] as const;
export type ImportMode = (typeof MODES)[number];

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
}

export class ImportHeaders {
  @TextField(1, 255, {
    description: 'Your key for this import. Repeating the key and file within 24 hours returns the first response and changes nothing.',
    presence: 'if-present',
  })
  'idempotency-key'?: string;
}
