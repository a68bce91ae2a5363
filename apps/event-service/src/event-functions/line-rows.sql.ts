import { lineId } from '../timeline/timeline.sql.js';

/** The key of a timeline. */
export const TIMELINE_KEY = ['shard_key', 'tenant', 'namespace_id', 'entity_id'] as const;

/** Columns of a row. */
export const fields = (row: string, columns: readonly string[]): string => columns.map((column) => `${row}.${column}`).join(', ');

/** Condition that a row is of the timeline `line`. */
export const isOfLine = (row: string): string => TIMELINE_KEY.map((column) => `${row}.${column} = line.${column}`).join(' and ');

/** Condition that a row of `line_change` is what a partner sees of the timeline `line`. */
export const isLineOf = (row: string, partner: string): string =>
  `${row}.shard_key = line.shard_key
          and ${row}.tenant = line.tenant
          and ${row}.partner_id = ${partner}
          and ${row}.line_id = ${lineId('line.tenant', partner, 'line.entity_id')}`;
