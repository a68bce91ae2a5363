import { Database, raw, statement } from '@fibre/database';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { whereTablesAre } from './distribution.js';

/** Finds out at startup whether the rows are distributed across a Citus cluster. */
@Injectable()
export class DistributionService implements OnModuleInit {
  isDistributed = false;

  constructor(private readonly database: Database) {}

  /** @throws Error with instructions if the database is a cluster but the tables are not distributed */
  async onModuleInit(): Promise<void> {
    const place = await whereTablesAre((text) => this.database.run(statement('')`${raw(text)}`));
    if (place === 'undistributed')
      throw new Error(
        'The database has the citus extension, but its tables are not distributed. Distribute them (node dist/distribute.js), or drop the extension.',
      );
    this.isDistributed = place === 'distributed';
  }
}
