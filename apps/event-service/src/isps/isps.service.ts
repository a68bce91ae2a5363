import { ContentionError } from '@fibre/database';
import { allowedVersions } from '@fibre/dto';
import { type Page, readPage } from '@fibre/pagination';
import { preconditionFailed, recordNotFound } from '@fibre/problems';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { NamespacesService } from '../namespaces/namespaces.service.js';
import type { IspFields, IspKey, RegisteredIsp } from './isp.js';
import { ispInUse, ispNameTaken } from './isp.problems.js';
import type { IspRequest, ListIspsQuery } from './isp.requests.js';
import { IspsRepository, IspTaken } from './isps.repository.js';

/** What became of a request to put an ISP into the registry, and the ISP. */
export interface PutIsp extends RegisteredIsp {
  readonly partnerId: string;
  readonly isNew: boolean;
}

/** Attempts of one request to write what others write as well. Another one is needed only when they change it between two statements. */
const MAX_ATTEMPTS = 10;

/** Rules of the registry of ISPs. Every method sees the ISPs of its tenant and namespace alone. */
@Injectable()
export class IspsService {
  constructor(
    private readonly repository: IspsRepository,
    private readonly namespaces: NamespacesService,
  ) {}

  /** @throws Problem 409 `isp-name-taken` */
  async create(tenant: string, namespace: string | undefined, request: IspRequest): Promise<PutIsp> {
    const namespaceId = await this.namespaces.forWriting(tenant, namespace);
    const [key, fields] = [{ tenant, namespaceId, partnerId: uuidv7() }, fieldsOf(request)];
    return this.write(key, fields, async () => ({ ...(await this.repository.insert(key, fields)), partnerId: key.partnerId, isNew: true }));
  }

  /**
   * Registers an ISP under an id, or replaces what is said of it. The same again changes nothing.
   *
   * @throws Problem 409 `isp-name-taken`, 412
   */
  async put(
    tenant: string,
    namespace: string | undefined,
    partnerId: string,
    request: IspRequest,
    ifMatch: string | undefined,
  ): Promise<PutIsp> {
    const namespaceId = await this.namespaces.forWriting(tenant, namespace);
    const [key, fields] = [{ tenant, namespaceId, partnerId }, fieldsOf(request)];
    const versions = allowedVersions(ifMatch);
    return this.write(key, fields, async () => {
      const existing = await this.repository.compare(key, fields);
      if (existing ? versions && !versions.includes(existing.version) : ifMatch !== undefined) throw preconditionFailed('ISP');
      if (!existing) return { ...(await this.repository.insert(key, fields)), partnerId, isNew: true };
      const replaced = existing.is_same ? existing : await this.repository.replace(key, fields, versions);
      return replaced && { ...replaced, partnerId, isNew: false };
    });
  }

  /** @throws Problem 404 */
  async read(tenant: string, namespace: string | undefined, partnerId: string): Promise<RegisteredIsp> {
    const namespaceId = await this.namespaces.forReading(tenant, namespace);
    const isp = await this.repository.find({ tenant, namespaceId, partnerId });
    if (!isp) throw recordNotFound('ISP', partnerId);
    return isp;
  }

  async list(tenant: string, namespace: string | undefined, query: ListIspsQuery): Promise<Page> {
    const namespaceId = await this.namespaces.forReading(tenant, namespace);
    const { name } = query;
    const listing = ['isps of', tenant, ...(namespace === undefined ? [] : ['in', namespace])].join(' ');
    return readPage(query, listing, { name }, (page) => this.repository.list({ tenant, namespaceId }, name, page));
  }

  /** @throws Problem 404, 409 `isp-in-use`, 412 */
  async delete(tenant: string, namespace: string | undefined, partnerId: string, ifMatch: string | undefined): Promise<void> {
    const namespaceId = await this.namespaces.forReading(tenant, namespace);
    const deletion = await this.repository.delete({ tenant, namespaceId, partnerId }, allowedVersions(ifMatch));
    if (deletion === 'deleted') return;
    if (deletion === 'absent') throw recordNotFound('ISP', partnerId);
    if (deletion === 'other-version') throw preconditionFailed('ISP');
    throw ispInUse(partnerId, deletion);
  }

  /**
   * @param attempt gives `undefined` when somebody else changed what it had read, and nothing was written
   * @throws Problem 409 `isp-name-taken`
   * @throws ContentionError when the attempts run out
   */
  private async write(key: IspKey, { name }: IspFields, attempt: () => Promise<PutIsp | undefined>): Promise<PutIsp> {
    for (let left = MAX_ATTEMPTS; left > 0; left--) {
      const put = await attempt().catch(async (error: unknown) => {
        if (!(error instanceof IspTaken)) throw error;
        const holder = await this.repository.findByName(key, name);
        if (holder !== undefined && holder !== key.partnerId) throw ispNameTaken(name, holder);
        // Taken was the id, or whoever had the name has it no more.
        return undefined;
      });
      if (put) return put;
    }
    throw new ContentionError(MAX_ATTEMPTS, new Error(`the ISP ${key.partnerId} changed under every attempt`));
  }
}

const fieldsOf = ({ name, email, comment }: IspRequest): IspFields => ({ name, email: email ?? null, comment: comment ?? null });
