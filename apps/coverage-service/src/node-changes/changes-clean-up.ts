import { Database, type Statement } from '@fibre/database';
import { RegularWork } from '@fibre/server';
import { Inject, Injectable } from '@nestjs/common';
import { COVERAGE_ENV, type CoverageEnv } from '../coverage.env.js';
import { FORGOTTEN_AT_ONCE, forgetDeletions } from './node-changes.sql.js';
import { forgetPublications, PUBLICATIONS_AT_ONCE } from './publication.sql.js';

/** Removes old deletions and empty publications in small steps, on every replica. */
@Injectable()
export class ChangesCleanUp extends RegularWork {
  constructor(
    private readonly database: Database,
    @Inject(COVERAGE_ENV) private readonly env: CoverageEnv,
  ) {
    super('removing old deletions and publications');
  }

  async run(): Promise<void> {
    await this.repeat(forgetDeletions(this.env.CHANGES_RETENTION_DAYS), FORGOTTEN_AT_ONCE);
    await this.repeat(forgetPublications, PUBLICATIONS_AT_ONCE);
  }

  /** Until it removes less than it could. */
  private async repeat(remove: Statement, atOnce: number): Promise<void> {
    while (!this.closing && (await this.database.run(remove)).length >= atOnce);
  }
}
