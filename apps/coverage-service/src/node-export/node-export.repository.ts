import type { Readable } from 'node:stream';
import { Database } from '@fibre/database';
import { Injectable } from '@nestjs/common';
import type { AccessNodeFilters } from '../access-nodes/access-node.sql.js';
import { exportNodes } from './node-export.sql.js';

@Injectable()
export class NodeExportRepository {
  constructor(private readonly database: Database) {}

  /** @param options of COPY */
  copy(
    tenant: string,
    filters: AccessNodeFilters,
    options: string,
    consume: (bytes: Readable) => Promise<void>,
    maxMs: number,
  ): Promise<void> {
    return this.database.copyOut(exportNodes(tenant, filters), options, consume, maxMs);
  }
}
