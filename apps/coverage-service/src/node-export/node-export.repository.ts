import type { Readable } from 'node:stream';
import { Database } from '@fibre/database';
import { Injectable } from '@nestjs/common';
import type { AccessNodeFilters } from '../access-nodes/access-node.sql.js';
import type { Format } from './node-export.formats.js';
import { exportNodes } from './node-export.sql.js';

@Injectable()
export class NodeExportRepository {
  constructor(private readonly database: Database) {}

  copy(
    tenant: string,
    filters: AccessNodeFilters,
    { record, options }: Pick<Format, 'record' | 'options'>,
    consume: (bytes: Readable) => Promise<void>,
    maxMs: number,
  ): Promise<void> {
    return this.database.copyOut(exportNodes(record, tenant, filters), options, consume, maxMs);
  }
}
