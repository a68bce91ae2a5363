import { lineId } from '../timeline/timeline.sql.js';

/** Columns of a row. */
export const fields = (row: string, columns: readonly string[]): string => columns.map((column) => `${row}.${column}`).join(', ');

/** Condition that a row of `line_change` is what a partner sees of the timeline of another row. */
export const isLineOf = (row: string, partner: string, other = 'line'): string =>
  `${row}.shard_key = ${other}.shard_key
          and ${row}.tenant = ${other}.tenant
          and ${row}.partner_id = ${partner}
          and ${row}.line_id = ${lineId(`${other}.tenant`, partner, `${other}.entity_id`)}`;
