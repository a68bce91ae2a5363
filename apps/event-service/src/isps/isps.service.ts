import { ContentionError, isUniqueViolation } from '@fibre/database';
import type { Conditions } from '@fibre/dto';
import { type Page, readPage } from '@fibre/pagination';
import { found } from '@fibre/problems';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { NamespacesService } from '../namespaces/namespaces.service.js';
import type { Isp, IspFields, IspKey } from './isp.entity.js';
import { ispInUse, ispTaken } from './isp.problems.js';
import type { IspRequest, ListIspsQuery } from './isp.requests.js';
import { IspsRepository } from './isps.repository.js';

/** Maximum number of attempts of one request; a second attempt is only needed if the record changes between two statements. */
const MAX_ATTEMPTS = 10;

/** Rules for the ISP registry. Every method sees only the ISPs of the tenant and namespace it is given. */
@Injectable()
export class IspsService {
  constructor(
    private readonly repository: IspsRepository,
    private readonly namespaces: NamespacesService,
  ) {}

  /** @throws Problem 409 `isp-name-taken`, `isp-tenant-taken` */
  async create(tenant: string, actor: string | null, namespace: string | undefined, request: IspRequest): Promise<Isp> {
    const namespace_id = await this.namespaces.forWriting(tenant, namespace);
    const [key, fields] = [{ tenant, namespace_id, partner_id: uuidv7() }, fieldsOf(request)];
    return this.write(key, fields, () => this.repository.insert(key, actor, fields));
  }

  /**
   * Registers an ISP under an id, or replaces its fields. Safe to repeat.
   *
   * @throws Problem 409 `isp-name-taken`, `isp-tenant-taken`, 412
   */
  async put(
    tenant: string,
    actor: string | null,
    namespace: string | undefined,
    partner_id: string,
    request: IspRequest,
    conditions: Conditions,
  ): Promise<{ isp: Isp; isNew: boolean }> {
    const namespace_id = await this.namespaces.forWriting(tenant, namespace);
    const [key, fields] = [{ tenant, namespace_id, partner_id }, fieldsOf(request)];
    return this.write(key, fields, async () => {
      const existing = await this.repository.find(key);
      conditions.require('ISP', existing?.version);
      if (!existing) return { isp: await this.repository.insert(key, actor, fields), isNew: true };
      const isp = isSame(existing, fields) ? existing : await this.repository.replace(key, actor, fields, conditions.versions);
      return isp && { isp, isNew: false };
    });
  }

  /** @throws Problem 404 */
  async read(tenant: string, namespace: string | undefined, partner_id: string): Promise<Isp> {
    const namespace_id = await this.namespaces.forReading(tenant, namespace);
    return found(await this.repository.find({ tenant, namespace_id, partner_id }), 'ISP', partner_id);
  }

  async list(tenant: string, namespace: string | undefined, query: ListIspsQuery): Promise<Page> {
    const namespace_id = await this.namespaces.forReading(tenant, namespace);
    const { name } = query;
    return readPage(query, 'isps', { tenant, namespace, name }, (page) => this.repository.page({ tenant, namespace_id }, name, page));
  }

  /** @throws Problem 404, 409 `isp-in-use`, 412 */
  async delete(tenant: string, namespace: string | undefined, partner_id: string, conditions: Conditions): Promise<void> {
    const namespace_id = await this.namespaces.forReading(tenant, namespace);
    await this.repository.delete({ tenant, namespace_id, partner_id }, (isp, event) => {
      conditions.require('ISP', found(isp, 'ISP', partner_id).version);
      if (event) throw ispInUse(partner_id, event);
    });
  }

  /**
   * @param attempt returns `undefined`, having written nothing, if another request changed what it had read
   * @throws Problem 409 `isp-name-taken`, `isp-tenant-taken`
   * @throws ContentionError after the last attempt
   */
  private async write<T>({ partner_id, ...scope }: IspKey, fields: IspFields, attempt: () => Promise<T | undefined>): Promise<T> {
    for (let left = MAX_ATTEMPTS; left > 0; left--) {
      const written = await attempt().catch(async (error: unknown) => {
        if (!isUniqueViolation(error)) throw error;
        for (const field of ['name', 'isp_tenant'] as const) {
          const value = fields[field];
          const holder = value === null ? null : await this.repository.find({ ...scope, [field]: value });
          if (holder && holder.partner_id !== partner_id) throw ispTaken(field, value!, holder.partner_id);
        }
        // Another request took the id, or the ISP that had the name or tenant no longer has it.
        return undefined;
      });
      if (written) return written;
    }
    throw new ContentionError(MAX_ATTEMPTS, new Error(`the ISP ${partner_id} changed during every attempt`));
  }
}

const fieldsOf = ({ name, email, comment, isp_tenant }: IspRequest): IspFields => ({
  name,
  email: email ?? null,
  comment: comment ?? null,
  isp_tenant: isp_tenant ?? null,
});

const isSame = (isp: Isp, fields: IspFields): boolean =>
  (Object.keys(fields) as (keyof IspFields)[]).every((name) => isp[name] === fields[name]);
