import { type Page, readPage } from '@fibre/pagination';
import { found } from '@fibre/problems';
import { Injectable } from '@nestjs/common';
import { NIL as PRODUCTION } from 'uuid';
import type { Closing } from '../closings/closing.entity.js';
import { ClosingsRepository, covering } from '../closings/closings.repository.js';
import { IspsRepository } from '../isps/isps.repository.js';
import type { Account, PeriodReader } from '../periods/period-reader.js';
import { type PeriodListing, PeriodsService } from '../periods/periods.service.js';
import type { ListChargedClosingsQuery, ListChargedCorrectionsQuery, ListChargesQuery } from './charges.requests.js';
import { toChargedClosingResponse } from './charges.response.js';

/** What operators charge an ISP, for the ISP. Every method sees only the steps of the ISPs whose records name the caller's tenant. */
@Injectable()
export class ChargesService {
  constructor(
    private readonly isps: IspsRepository,
    private readonly periods: PeriodsService,
    private readonly closings: ClosingsRepository,
  ) {}

  /** @throws Problem as `PeriodsService.list` does */
  async list(what: PeriodListing, caller: string, query: ListChargesQuery | ListChargedCorrectionsQuery): Promise<Page> {
    const reader: PeriodReader = { tenant: caller, accounts: await this.accountsOf(caller, query.tenant), showsTenant: true };
    return this.periods.list(what, reader, query);
  }

  /** The closings that cover the ISP. */
  async listClosings(caller: string, query: ListChargedClosingsQuery): Promise<Page> {
    const accounts = await this.accountsOf(caller, query.tenant);
    const where = accounts.flatMap(coveringAccount);
    return readPage(query, 'charged closings', { caller, tenant: query.tenant }, (page) =>
      this.closings.page(where, page, toChargedClosingResponse),
    );
  }

  /** A closing that covers the ISP. @throws Problem 404 */
  async readClosing(caller: string, closing_id: string): Promise<Closing> {
    const where = (await this.accountsOf(caller)).flatMap(coveringAccount);
    return found(await this.closings.find(where, closing_id), 'closing', closing_id);
  }

  /** The operators that have registered the caller as an ISP; only one of them if it is given. */
  private async accountsOf(caller: string, operator?: string): Promise<(Account & { partner_id: string })[]> {
    const isps = await this.isps.ofIspTenant(PRODUCTION, caller);
    return isps
      .filter(({ tenant }) => operator === undefined || tenant === operator)
      .map(({ tenant, partner_id }) => ({ tenant, namespaceId: PRODUCTION, partner_id }));
  }
}

const coveringAccount = ({ tenant, partner_id }: Account & { partner_id: string }) =>
  covering({ tenant, namespace_id: PRODUCTION, partner_id });
