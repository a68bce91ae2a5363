import { Database } from '@fibre/database';
import { RegularWork } from '@fibre/server';
import { Injectable } from '@nestjs/common';
import { deleteOld } from './refused-events.sql.js';

/** Deletes refused events that are too old, on every replica. */
@Injectable()
export class RefusedEventsCleanUp extends RegularWork {
  constructor(private readonly database: Database) {
    super('deleting old refused events');
  }

  async run(now = Date.now()): Promise<void> {
    await this.database.run(deleteOld(new Date(now)));
  }
}
