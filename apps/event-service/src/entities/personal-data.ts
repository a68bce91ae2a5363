import { Database, type Limit, Limits } from '@fibre/database';
import { Injectable } from '@nestjs/common';
import { deleteOfEntity } from '../refused-events/refused-events.sql.js';
import type { TimelineKey } from '../timeline/timeline.js';
import { eraseEntity } from './entity.sql.js';

/** Longest time in milliseconds that an erasure may take: all events of an entity are erased at once, however many there are. */
export const MAX_ERASE_MS = 120_000;
/** Milliseconds that an erasure waits for the tenant's previous one. */
const MAX_WAIT_MS = 10_000;

/** Erases the personal data of entities, one at a time for each tenant, because a large one holds a connection for seconds. */
@Injectable()
export class PersonalData {
  private readonly limit: Limit;

  constructor(
    private readonly database: Database,
    limits: Limits,
  ) {
    this.limit = limits.add('erasures', { perClient: 1, maxWaitMs: MAX_WAIT_MS });
  }

  /**
   * @param actor who erases it; null if the service does so by itself
   * @param inactiveBefore if set, the entity must also have been inactive since before this instant
   * @returns whether there is such an entity
   */
  async erase(key: TimelineKey, actor: string | null, withLine: boolean, inactiveBefore?: Date): Promise<boolean> {
    const erase = eraseEntity(key, actor, withLine, inactiveBefore);
    const [erased] = await this.limit.run(key.tenant, () =>
      this.database.transaction(
        async (run) => {
          // Their system attributes may have the values that are erased, and they are of little use once the entity is settled.
          await run(deleteOfEntity(key.tenant, key.namespaceId, key.entityId));
          return run<{ found: boolean }>(erase);
        },
        { statementTimeoutMs: MAX_ERASE_MS },
      ),
    );
    return erased?.found === true;
  }
}
