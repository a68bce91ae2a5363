import type { Fault } from './fault.js';
import { ANSWERS } from './faults/answers.js';
import { GIVEN_BACK } from './faults/given-back.js';
import { OF_HISTORY } from './faults/of-history.js';
import { ORDER_AND_BULK_WORK } from './faults/order-and-bulk-work.js';
import { PAGES } from './faults/pages.js';
import { TENANTS_AND_SCOPES } from './faults/tenants-and-scopes.js';
import { TIMES } from './faults/times.js';
import { WEBHOOKS_AND_CLIENT } from './faults/webhooks-and-client.js';

export const FAULTS: readonly Fault[] = [
  ...TENANTS_AND_SCOPES,
  ...PAGES,
  ...TIMES,
  ...ORDER_AND_BULK_WORK,
  ...GIVEN_BACK,
  ...ANSWERS,
  ...WEBHOOKS_AND_CLIENT,
  ...OF_HISTORY,
];
