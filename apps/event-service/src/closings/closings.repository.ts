import { Database, readRecords, retryOnConflict } from '@fibre/database';
import type { PageRequest, PageRows } from '@fibre/pagination';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, type FindOptionsWhere, IsNull, Raw, type Repository } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { Closing, type ClosingScope, type NewClosing } from './closing.entity.js';

/** First key of the advisory lock that a closing takes for its tenant, so that closings follow each other. */
const CLOSING_LOCK = 531_770_926;

@Injectable()
export class ClosingsRepository {
  constructor(
    @InjectRepository(Closing) private readonly closings: Repository<Closing>,
    private readonly database: Database,
  ) {}

  /**
   * @param settled a settled instant
   * @returns the new closing, or the one that has the idempotency key
   */
  insert(closing: NewClosing, settled: Date): Promise<Closing> {
    return retryOnConflict(() =>
      this.closings.manager.transaction(async (manager) => {
        await manager.query('select pg_advisory_xact_lock($1, hashtext($2))', [CLOSING_LOCK, closing.tenant]);
        const known = await findByKey(manager, closing);
        if (known) return known;
        const previous = await findLast(manager, closing);
        // The settled instant can move back, but what was settled once stays settled: a window's closings must not overlap.
        const recorded_until = previous && previous.recorded_until > settled ? previous.recorded_until : settled;
        const created = { ...closing, closing_id: uuidv7(), recorded_until, previous_closing_id: previous?.closing_id ?? null };
        const record = manager.create(Closing, created);
        await manager.insert(Closing, record);
        return record;
      }),
    );
  }

  /** @param scopes the tenants and namespaces that the reader may see */
  async find(scopes: readonly ClosingScope[], closing_id: string): Promise<Closing | null> {
    // TypeORM would take an empty list for no condition.
    return scopes.length === 0 ? null : this.closings.findOneBy(scopes.map((scope) => ({ ...scope, closing_id })));
  }

  /** @param where conditions of which one must hold */
  page(where: readonly FindOptionsWhere<Closing>[], page: PageRequest, toResponse: (closing: Closing) => object): Promise<PageRows> {
    return readRecords(this.database, { repository: this.closings, label: 'closings', where, key: 'closing_id', toResponse }, page);
  }
}

/** The closings that cover an ISP: of the ISP alone, or of all ISPs of its operator. */
export const covering = (isp: ClosingScope & { partner_id: string }): FindOptionsWhere<Closing>[] => [
  isp,
  { ...isp, partner_id: IsNull() },
];

/** The closing that a request with the same key created in the last 24 hours. */
async function findByKey(manager: EntityManager, { tenant, namespace_id, idempotency_key }: NewClosing): Promise<Closing | null> {
  if (idempotency_key === null) return null;
  const created_at = Raw((column) => `${column} > now() - interval '24 hours'`);
  return manager.findOneBy(Closing, { tenant, namespace_id, idempotency_key, created_at });
}

/** The last closing of the same window and ISPs: the one that no other follows. */
const findLast = (manager: EntityManager, { tenant, namespace_id, from, to, partner_id }: NewClosing): Promise<Closing | null> =>
  manager
    .createQueryBuilder(Closing, 'c')
    .where({ tenant, namespace_id, from, to, partner_id: partner_id ?? IsNull() })
    .andWhere(
      'not exists (select 1 from closing f where f.tenant = c.tenant and f.namespace_id = c.namespace_id and f.previous_closing_id = c.closing_id)',
    )
    .getOne();
