import { Database, raw, statement } from '@fibre/database';
import { Injectable, type OnModuleInit } from '@nestjs/common';

/** Finds out at startup whether the rows are distributed across a Citus cluster. */
@Injectable()
export class DistributionService implements OnModuleInit {
  isDistributed = false;

  constructor(private readonly database: Database) {}

  /** @throws Error with instructions if the database is a cluster but the tables are not distributed */
  async onModuleInit(): Promise<void> {
    if (!(await this.isTrue(`to_regclass('pg_catalog.pg_dist_partition') is not null`))) return;
    this.isDistributed = await this.isTrue(`exists (select 1 from pg_dist_partition where logicalrelid = to_regclass('event'))`);
    if (!this.isDistributed)
      throw new Error(
        'The database has the citus extension, but its tables are not distributed. Distribute them (docs/operations.md), or drop the extension.',
      );
  }

  private async isTrue(condition: string): Promise<boolean> {
    const [row] = await this.database.run<{ found: boolean }>(statement('')`select ${raw(condition)} as found`);
    return row!.found;
  }
}
