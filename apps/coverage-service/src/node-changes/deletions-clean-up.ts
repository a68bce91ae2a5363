import { Database } from '@fibre/database';
import { RegularWork } from '@fibre/server';
import { Inject, Injectable } from '@nestjs/common';
import { COVERAGE_ENV, type CoverageEnv } from '../coverage.env.js';
import { FORGOTTEN_AT_ONCE, forgetDeletions } from './node-changes.sql.js';

/** Removes old deletions in small steps, on every replica. */
@Injectable()
export class DeletionsCleanUp extends RegularWork {
  constructor(
    private readonly database: Database,
    @Inject(COVERAGE_ENV) private readonly env: CoverageEnv,
  ) {
    super('removing old deletions');
  }

  async run(): Promise<void> {
    while (!this.closing && (await this.database.run(forgetDeletions(this.env.CHANGES_RETENTION_DAYS))).length === FORGOTTEN_AT_ONCE);
  }
}
