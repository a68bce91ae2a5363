import { Database, readRecords, retryOnConflict } from '@fibre/database';
import type { PageRequest, PageRows } from '@fibre/pagination';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, type Repository } from 'typeorm';
import { NIL as PRODUCTION } from 'uuid';
import type { NamedEvent } from '../timeline/timeline.js';
import { Isp, type IspFields, type IspKey, type IspScope } from './isp.entity.js';
import { toIspResponse } from './isp.response.js';
import { findEventOfIsp, type IspAccess, recordAccess, selectAccess } from './isp.sql.js';

@Injectable()
export class IspsRepository {
  constructor(
    @InjectRepository(Isp) private readonly isps: Repository<Isp>,
    private readonly database: Database,
  ) {}

  async insert(key: IspKey, actor: string | null, fields: IspFields): Promise<Isp> {
    const isp = this.isps.create({ ...key, ...fields, created_by: actor, modified_by: actor });
    return this.isps.manager.transaction(async (manager) => {
      await manager.insert(Isp, isp);
      await noteAccess(manager, key);
      return isp;
    });
  }

  /**
   * @param versions the versions that may be changed; any if absent
   * @returns `undefined` if there is no such ISP, it has a different version, or nothing would change
   */
  async replace(key: IspKey, actor: string | null, fields: IspFields, versions: readonly number[] | undefined): Promise<Isp | undefined> {
    const replace = async (manager: EntityManager): Promise<Isp | undefined> => {
      const update = manager
        .createQueryBuilder()
        .update(Isp)
        // modified_at always increases, even within a millisecond.
        .set({
          ...fields,
          version: () => 'version + 1',
          modified_at: () => `greatest(write_time(), modified_at + interval '1 millisecond')`,
          modified_by: actor,
        })
        .where({ ...key, ...(versions && { version: In(versions) }) })
        .andWhere('(name, email, comment, isp_tenant) is distinct from (:name, :email, :comment, :isp_tenant)', fields)
        .returning('*');
      const [isp] = (await update.execute()).raw as Isp[];
      if (isp) await noteAccess(manager, key);
      return isp;
    };
    // Concurrent requests that swap the names of two ISPs may deadlock.
    return retryOnConflict(() => this.isps.manager.transaction(replace));
  }

  /** @param where the scope, with the id or another field that is unique within it */
  find(where: IspScope & Partial<Pick<Isp, 'partner_id' | 'name'> & { isp_tenant: string }>): Promise<Isp | null> {
    return this.isps.findOneBy(where);
  }

  /** The records of all operators that name a tenant as that of the ISP. */
  ofIspTenant(namespace_id: string, isp_tenant: string): Promise<Isp[]> {
    return this.isps.findBy({ namespace_id, isp_tenant });
  }

  /** Which operators' lines a tenant sees in production, or has seen. */
  accessOf(isp_tenant: string): Promise<IspAccess[]> {
    return this.database.run<IspAccess>(selectAccess(isp_tenant));
  }

  /** @param check throws if the ISP must not be deleted; receives an event that names it, if there is one */
  delete(key: IspKey, check: (isp: Isp | null, event: NamedEvent | undefined) => void): Promise<void> {
    return retryOnConflict(() =>
      this.isps.manager.transaction(async (manager) => {
        // The first check takes no lock: a steady stream of events that name the ISP would keep the lock busy, but the check can already
        // find those events.
        for (const lock of [undefined, { mode: 'pessimistic_write' } as const]) {
          const isp = await manager.findOne(Isp, { where: key, lock });
          // A separate statement after the lock sees everything that was recorded before the lock was granted.
          const { text, values } = findEventOfIsp(key);
          const [event] = await manager.query<(NamedEvent & { partner_id: string })[]>(text, values);
          check(isp, event?.partner_id === key.partner_id ? event : undefined);
        }
        await manager.delete(Isp, key);
        await noteAccess(manager, key);
      }),
    );
  }

  page(scope: IspScope, name: string | undefined, page: PageRequest): Promise<PageRows> {
    const where = { ...scope, ...(name !== undefined && { name }) };
    return readRecords(this.database, { repository: this.isps, label: 'isps', where, key: 'partner_id', toResponse: toIspResponse }, page);
  }
}

/** Only production has a feed of lines. */
async function noteAccess(manager: EntityManager, key: IspKey): Promise<void> {
  if (key.namespace_id !== PRODUCTION) return;
  const { text, values } = recordAccess(key);
  await manager.query(text, values);
}
