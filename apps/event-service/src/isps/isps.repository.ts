import { Database, isUniqueViolation, readListing, type Statement } from '@fibre/database';
import type { PageRequest, PageRows } from '@fibre/pagination';
import { Injectable } from '@nestjs/common';
import type { NamedEvent } from '../events/event.js';
import type { IspFields, IspKey, RegisteredIsp } from './isp.js';
import { compareIsp, deleteIsp, findByName, findEventOfIsp, insertIsp, ispListing, lockIsp, replaceIsp, selectIsp } from './isp.sql.js';

/** The id or the name of an ISP is there already. */
export class IspTaken extends Error {}

/** What became of a deletion; an event is one that names the ISP. */
export type Deletion = 'deleted' | 'absent' | 'other-version' | NamedEvent;

@Injectable()
export class IspsRepository {
  constructor(private readonly database: Database) {}

  /** @throws IspTaken */
  async insert(key: IspKey, fields: IspFields): Promise<RegisteredIsp> {
    return (await this.write(insertIsp(key, fields, new Date())))!;
  }

  /**
   * @param versions the versions the change is meant for; every version when absent
   * @returns `undefined` when there is no such ISP in such a version, or nothing to change
   * @throws IspTaken
   */
  replace(key: IspKey, fields: IspFields, versions: readonly number[] | undefined): Promise<RegisteredIsp | undefined> {
    return this.write(replaceIsp(key, fields, versions, new Date()));
  }

  async find(key: IspKey): Promise<RegisteredIsp | undefined> {
    const [isp] = await this.database.run<RegisteredIsp>(selectIsp(key));
    return isp;
  }

  /** @returns the ISP, and whether these are its fields */
  async compare(key: IspKey, fields: IspFields): Promise<(RegisteredIsp & { is_same: boolean }) | undefined> {
    const [isp] = await this.database.run<RegisteredIsp & { is_same: boolean }>(compareIsp(key, fields));
    return isp;
  }

  /** @returns partner_id of the ISP that has the name */
  async findByName(key: IspKey, name: string): Promise<string | undefined> {
    const [row] = await this.database.run<{ partner_id: string }>(findByName(key, name));
    return row?.partner_id;
  }

  /** @param versions the versions the deletion is meant for; every version when absent */
  delete(key: IspKey, versions: readonly number[] | undefined): Promise<Deletion> {
    return this.database.transaction(async (run) => {
      // At first without the lock: whoever records events of the ISP without a pause would never let go of it, and has named it already.
      for (const select of [selectIsp, lockIsp]) {
        const [isp] = await run<{ version: number }>(select(key));
        if (!isp) return 'absent';
        if (versions && !versions.includes(isp.version)) return 'other-version';
        // A statement after that which takes the lock, so that it sees what was recorded until then.
        const [found] = await run<NamedEvent & { partner_id: string }>(findEventOfIsp(key));
        if (found?.partner_id === key.partnerId) {
          const { partner_id: _, ...event } = found;
          return event;
        }
      }
      await run(deleteIsp(key));
      return 'deleted';
    });
  }

  list(key: Omit<IspKey, 'partnerId'>, name: string | undefined, page: PageRequest): Promise<PageRows> {
    return readListing(this.database, ispListing(key, name), page);
  }

  private async write(statement: Statement): Promise<RegisteredIsp | undefined> {
    const [isp] = await this.database.run<RegisteredIsp>(statement).catch((error: unknown) => {
      throw isUniqueViolation(error) ? new IspTaken() : error;
    });
    return isp;
  }
}
