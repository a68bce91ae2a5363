import { createHash } from 'node:crypto';
import type { Closing } from '../closings/closing.entity.js';
import type { TimelineKey } from '../timeline/timeline.js';

/** An operator's entities, and the only ISP whose steps of them may be read, if there is one. */
export interface Account extends Pick<TimelineKey, 'tenant' | 'namespaceId'> {
  readonly partner_id?: string;
}

/** The caller, and the accounts whose periods it reads. */
export interface PeriodReader {
  /** The tenant of the token. */
  readonly tenant: string;
  readonly namespace?: string;
  readonly accounts: readonly Account[];
  /** Whether records name the operator. */
  readonly showsTenant?: boolean;
}

const RANK_BYTES = 6;
/** Greatest rank of an account. */
export const MAX_RANK = 2 ** (8 * RANK_BYTES) - 1;

/** Places an operator among others: a number, because a cursor carries it. */
export const rankOf = ({ tenant }: Pick<Account, 'tenant'>): number =>
  createHash('sha256').update(tenant).digest().readUIntBE(0, RANK_BYTES);

/** Whether the closing covers the ISP of the account, if it has only one. */
export const isOf = ({ tenant, partner_id }: Account, closing: Closing): boolean =>
  tenant === closing.tenant && (partner_id === undefined || closing.partner_id === null || partner_id === closing.partner_id);
