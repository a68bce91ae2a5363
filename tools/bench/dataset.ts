import type pg from 'pg';

/** The content of a database; made once and found again by later runs. */
export interface Dataset {
  /** Of the database. */
  name: string;
  /** Changes with the data that is made, so that a table of an older bench is made anew. */
  version: number;
  /** Rows of the large table. */
  records: number;
  tables: [large: string, ...others: string[]];
  /** Fills the empty tables. */
  fill: (client: pg.Client) => Promise<void>;
  /** Removes what former runs recorded. @returns how many rows */
  removeRecorded?: (client: pg.Client) => Promise<number>;
}
