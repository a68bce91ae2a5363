import { ListedFeed } from '@fibre/changes';
import { SettledTime } from '@fibre/settled-time';
import { Database } from '@fibre/database';
import { Module } from '@nestjs/common';
import { NIL } from 'uuid';
import { IspsModule } from '../isps/isps.module.js';
import { IspsRepository } from '../isps/isps.repository.js';
import { LINE_FEED, LineChangesController } from './line-changes.controller.js';
import { lineChanges } from './line-changes.sql.js';
import { LinesController } from './lines.controller.js';
import { LinesService } from './lines.service.js';

/** At an operator that does not exist, for a tenant without an operator. */
const NOWHERE = { tenant: '', partner_id: NIL, first_at: new Date(0), begins_at: new Date(0), ends_at: null };

const createFeed = (database: Database, settled: SettledTime, isps: IspsRepository): ListedFeed =>
  new ListedFeed(database, settled, {
    nameOf: ({ tenant }) => JSON.stringify(['line-changes', tenant]),
    record: 'line',
    listing: async ({ tenant }, _filters, until, endedFrom) => {
      const accesses = await isps.accessOf(tenant);
      return lineChanges(accesses.length > 0 ? accesses : [NOWHERE], until, endedFrom);
    },
  });

/** The lines of an ISP and their feed, for the ISP itself. */
@Module({
  imports: [IspsModule],
  controllers: [LineChangesController, LinesController],
  providers: [LinesService, { provide: LINE_FEED, useFactory: createFeed, inject: [Database, SettledTime, IspsRepository] }],
  exports: [LINE_FEED],
})
export class LinesModule {}
