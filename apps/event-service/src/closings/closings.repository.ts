import { Database, readRecords, retryOnConflict } from '@fibre/database';
import type { PageRequest, PageRows } from '@fibre/pagination';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, type FindOptionsWhere, IsNull, NotBrackets, Raw, type Repository } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { edgeText, momentOf, type WindowEdge } from '../timeline/period-window.js';
import { Closing, type ClosingScope, type NewClosing } from './closing.entity.js';
import { closingWarnings, type Neighbour } from './closing-warnings.js';

/** First key of the advisory lock that a closing takes for its tenant, so that closings follow each other. */
const CLOSING_LOCK = 531_770_926;

@Injectable()
export class ClosingsRepository {
  constructor(
    @InjectRepository(Closing) private readonly closings: Repository<Closing>,
    private readonly database: Database,
  ) {}

  /**
   * @param recordedUntil chooses the instant of the closing, given the closing that it follows
   * @returns the new closing, or the one that has the idempotency key
   */
  insert(closing: NewClosing, recordedUntil: (previous: Closing | null) => Date): Promise<Closing> {
    return retryOnConflict(() =>
      this.closings.manager.transaction(async (manager) => {
        await manager.query('select pg_advisory_xact_lock($1, hashtext($2))', [CLOSING_LOCK, closing.tenant]);
        const stored = await findByKey(manager, closing);
        if (stored) return stored;
        const previous = await findLast(manager, closing);
        const recorded_until = recordedUntil(previous);
        const record = manager.create(Closing, {
          ...closing,
          closing_id: uuidv7(),
          recorded_until,
          previous_closing_id: previous?.closing_id ?? null,
          warnings: closingWarnings(closing, recorded_until, await findNeighbours(manager, closing)),
        });
        await manager.insert(Closing, record);
        return record;
      }),
    );
  }

  /** @param where what the reader may see: conditions of which one must hold */
  async find(where: readonly FindOptionsWhere<Closing>[], closing_id: string): Promise<Closing | null> {
    // TypeORM would take an empty list for no condition.
    return where.length === 0 ? null : this.closings.findOneBy(where.map((one) => ({ ...one, closing_id })));
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

/** The conditions of which one must hold for a closing to begin or end at an edge; it may have cut that date differently. */
export function atEdge(name: 'from' | 'to', sent: WindowEdge | undefined, timezone: string): FindOptionsWhere<Closing>[] {
  if (sent === undefined) return [{}];
  // A date whose first moment is not a timestamp has no instant.
  const moment = momentOf(sent, timezone);
  const conditions: FindOptionsWhere<Closing>[] = moment ? [{ [name]: edgeText(moment) }] : [];
  return typeof sent === 'string' ? [...conditions, { [`sent_${name}`]: sent, timezone }] : conditions;
}

/** The closing that a request with the same key created in the last 24 hours. */
async function findByKey(manager: EntityManager, { tenant, namespace_id, idempotency_key }: NewClosing): Promise<Closing | null> {
  if (idempotency_key === null) return null;
  const created_at = Raw((column) => `${column} > now() - interval '24 hours'`);
  return manager.findOneBy(Closing, { tenant, namespace_id, idempotency_key, created_at });
}

/** Conditions for closings of the same window, of which one must hold: the same instants, or the same dates in the same time zone. */
const sameWindow = ({ from, to, sent_from, sent_to, timezone }: NewClosing): FindOptionsWhere<Closing>[] => [
  { from, to },
  { sent_from, sent_to, timezone },
];

/** The last closing of the same window and ISPs. */
async function findLast(manager: EntityManager, closing: NewClosing): Promise<Closing | null> {
  const ofIsp = ispsOf(closing);
  let last = await manager.findOne(Closing, {
    where: sameWindow(closing).map((window) => ({ ...ofIsp, ...window })),
    order: { recorded_until: 'desc', closing_id: 'desc' },
  });
  // A closing of the same dates, cut differently since, may have been followed by one of the same instants.
  for (let next = last; next; next = await manager.findOneBy(Closing, { ...ofIsp, previous_closing_id: next.closing_id })) last = next;
  return last;
}

/** The last closings of other windows of the same ISPs, from two days before the window to two days after it. */
const findNeighbours = (manager: EntityManager, closing: NewClosing): Promise<Neighbour[]> =>
  manager
    .createQueryBuilder(Closing, 'c')
    .where(ispsOf(closing))
    .andWhere(new NotBrackets((one) => one.where(sameWindow(closing))))
    .andWhere(`c.to::timestamptz > :from::timestamptz - interval '2 days' and c.from::timestamptz < :to::timestamptz + interval '2 days'`)
    .andWhere(
      'not exists (select 1 from closing f where f.tenant = c.tenant and f.namespace_id = c.namespace_id and f.previous_closing_id = c.closing_id)',
    )
    .setParameters({ from: closing.from, to: closing.to })
    .orderBy('c.closing_id')
    .getMany();

/** Closings of the same ISPs. */
const ispsOf = ({ tenant, namespace_id, partner_id }: NewClosing) => ({ tenant, namespace_id, partner_id: partner_id ?? IsNull() });
