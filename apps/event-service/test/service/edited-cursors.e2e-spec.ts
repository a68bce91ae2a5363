import { faultsOfEditedCursors, type TestService } from '@fibre/testing';
import { billingOf, PERIODS, SETTLED_SOON } from '../billing/periods.js';
import { activation, deactivation, ENTITIES, EVENTS, newEntity, startEvents } from '../events/events.js';
import { ISPS, registryOf } from '../isps/isps.js';

const WEBHOOKS = '/api/v2/sys/webhooks/';
const MONTH = 'from=2026-01-01&to=2026-02-01';
let service: TestService;
let billing: Awaited<ReturnType<typeof billingOf>>;
/** An instant after the activations, and before the deactivations. */
let invoiced: string;

beforeAll(async () => {
  ({ service } = await startEvents(SETTLED_SOON));
  billing = await billingOf(service, 'ano.edits');
  const entities = [newEntity(), newEntity(), newEntity()];
  await billing.record(...entities.map((entity) => activation(entity, 5)));
  invoiced = await billing.settle();
  await billing.record(...entities.map((entity) => deactivation(entity, 10)));
  await billing.settle();
  for (let count = 0; count < 3; count++) {
    expect((await registryOf(billing.client).post()).status).toBe(201);
    const webhook = { url: 'https://receiver.example/', feed: 'events', enabled: false };
    expect((await billing.client.post(WEBHOOKS).send(webhook)).status).toBe(201);
  }
});
afterAll(() => service.close());

test.each([
  [EVENTS, ''],
  [`${EVENTS}latest/`, ''],
  [`${EVENTS}changes/`, ''],
  [ENTITIES, ''],
  [ISPS, ''],
  [WEBHOOKS, ''],
  [PERIODS, MONTH],
  [`${PERIODS}corrections/`, MONTH],
])('an edited cursor of %s is rejected or leads to a page like any other', async (listing, query) => {
  const since = listing.includes('corrections') ? `&recorded_from=${encodeURIComponent(invoiced)}` : '';
  const get = (path: string) => billing.client.get(path).then();
  expect(await faultsOfEditedCursors(get, `${listing}?${query}${since}&_page_size=1`, 1_000)).toEqual([]);
});
