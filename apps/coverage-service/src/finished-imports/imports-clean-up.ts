import { Database } from '@fibre/database';
import { RegularWork } from '@fibre/server';
import { Injectable } from '@nestjs/common';
import { FORGOTTEN_AT_ONCE, forgetImports } from './finished-import.sql.js';

/** Forgets the imports of earlier days, with what their responses say about nodes, on every replica. */
@Injectable()
export class ImportsCleanUp extends RegularWork {
  constructor(private readonly database: Database) {
    super('forgetting old imports');
  }

  async run(): Promise<void> {
    while (!this.closing && (await this.database.run(forgetImports)).length === FORGOTTEN_AT_ONCE);
  }
}
