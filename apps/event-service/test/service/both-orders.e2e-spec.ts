import { faultsOfOrders, type TestService } from '@fibre/testing';
import { billingOf, CLOSINGS, SETTLED_SOON } from '../billing/periods.js';
import { EVENTS, newEntity, notification, startEvents } from '../events/events.js';
import { ISPS, newName, registryOf } from '../isps/isps.js';

const WEBHOOKS = '/api/v2/sys/webhooks/';
const CHARGES = '/api/v2/sys/charges/closings/';
let service: TestService;
let billing: Awaited<ReturnType<typeof billingOf>>;
let day = 0;

beforeAll(async () => {
  ({ service } = await startEvents(SETTLED_SOON));
  billing = await billingOf(service, 'ano.orders');
});
afterAll(() => service.close());

const event = () => billing.record(notification(newEntity(), 1 + (day++ % 28)));
const closing = () => billing.closed({ from: '2026-01-01', to: `2026-02-${String(1 + (day++ % 28)).padStart(2, '0')}` });

test.each<[string, string, () => Promise<unknown>]>([
  [`${EVENTS}?`, 'event_id', event],
  [`${EVENTS}?period=2026-01-01&period_end=2026-01-31&`, 'event_id', event],
  [`${EVENTS}?token=fresh&`, 'event_id', event],
  [`${ISPS}?`, 'partner_id', () => registryOf(billing.client).post()],
  [`${CLOSINGS}?`, 'closing_id', closing],
  [
    `${WEBHOOKS}?`,
    'webhook_id',
    () => billing.client.post(WEBHOOKS).send({ url: 'https://receiver.example/', feed: 'events', enabled: false }).then(),
  ],
])('%s is read oldest first or newest first, in pages that new records do not change', async (listing, key, add) => {
  await Promise.all(Array.from({ length: 5 }, add));
  expect(await faultsOfOrders((path) => billing.client.get(path).then(), listing, key, add)).toEqual([]);
});

test('an ISP reads the closings that cover it in either order', async () => {
  await billing.client.post(ISPS).send({ name: newName(), isp_tenant: 'isp.orders' });
  const isp = await service.as({ tenant: 'isp.orders', scope: 'charges:read' });
  await Promise.all(Array.from({ length: 5 }, closing));
  expect(await faultsOfOrders((path) => isp.get(path).then(), `${CHARGES}?`, 'closing_id', closing)).toEqual([]);
});
