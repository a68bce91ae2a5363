import { Database } from '@fibre/database';
import { RegularWork } from '@fibre/server';
import { Inject, Injectable } from '@nestjs/common';
import { Temporal } from 'temporal-polyfill';
import { EVENT_ENV, type EventEnv } from '../event.env.js';
import type { TimelineKey } from '../timeline/timeline.js';
import { selectInactive } from './entity.sql.js';
import { PersonalData } from './personal-data.js';

/** Erases the personal data of entities that have long been inactive, one entity at a time, on every replica. */
@Injectable()
export class PersonalDataCleanUp extends RegularWork {
  constructor(
    private readonly database: Database,
    private readonly personalData: PersonalData,
    @Inject(EVENT_ENV) private readonly env: Pick<EventEnv, 'ERASE_AFTER_MONTHS'>,
  ) {
    super('erasing personal data');
  }

  async run(now = Date.now()): Promise<void> {
    const months = this.env.ERASE_AFTER_MONTHS;
    if (months === 0) return;
    const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO('UTC');
    const cutoff = new Date(today.subtract({ months }).epochMilliseconds);
    for (const entity of await this.database.run<TimelineKey>(selectInactive(cutoff))) {
      if (this.closing) return;
      // An entity that fails, for example because it is locked, must not keep the others from being erased; the next run tries it again.
      const fail = (err: unknown) =>
        this.logger.warn({ err, entity_id: entity.entityId }, 'the personal data of an entity is not erased yet');
      await this.personalData.erase(entity, null, false, cutoff).catch(fail);
    }
  }
}
