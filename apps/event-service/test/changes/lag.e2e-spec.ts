import { setTimeout as sleep } from 'node:timers/promises';
import { Follower, type TestService, until, WebhookReceiver } from '@fibre/testing';
import { EVENTS, newEntity, newTenant, notification, startEvents } from '../events/events.js';

const [EVENTS_SENT, PAUSE_MS] = [40, 100];
/** Nobody sees a change before it is settled, a second after it was recorded. A webhook looks for changes at most once a second. */
const [MOST_FEED_MS, MOST_WEBHOOK_MS] = [2_000, 3_500];

let service: TestService;
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await new WebhookReceiver().start();
  ({ service } = await startEvents());
});
afterAll(async () => {
  await service.close();
  await receiver.stop();
});

test('feeds and webhooks show a change one to two seconds after it was recorded (median)', async () => {
  const { client, record } = await newTenant(service);
  const webhook = await client.post('/api/v2/sys/webhooks/').send({ url: receiver.urlOf(), feed: 'events' });
  receiver.secrets.push(webhook.body.secret as string);
  const follower = new Follower(client, `${EVENTS}changes/`);
  const recorded = new Map<string, number>();
  const lags = { feed: new Map<string, number>(), webhook: new Map<string, number>() };
  const note = (seen: Map<string, number>, id: string): void => {
    if (!seen.has(id)) seen.set(id, Date.now() - recorded.get(id)!);
  };
  const isSeen = (): boolean => recorded.size === EVENTS_SENT && Object.values(lags).every(({ size }) => size === EVENTS_SENT);
  const reading = (async () => {
    for (; !isSeen(); await sleep(50)) {
      for (const { event } of await follower.step()) note(lags.feed, event!['event_id']!);
      for (const { subject } of receiver.events) note(lags.webhook, subject);
    }
  })();
  for (let count = 0; count < EVENTS_SENT; count++) {
    const [id] = await record(notification(newEntity(), 1));
    recorded.set(id!, Date.now());
    await sleep(PAUSE_MS);
  }
  await until('the changes', isSeen);
  await reading;
  expect(receiver.faults()).toEqual([]);
  const median = (values: Iterable<number>): number => [...values].sort((a, b) => a - b)[EVENTS_SENT >> 1]!;
  const medians = { feed: median(lags.feed.values()), webhook: median(lags.webhook.values()) };
  console.info(`median lag in milliseconds: ${JSON.stringify(medians)}`);
  expect(medians.feed).toBeLessThan(MOST_FEED_MS);
  expect(medians.webhook).toBeLessThan(MOST_WEBHOOK_MS);
});
