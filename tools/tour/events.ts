import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChargedStep, Closing, Correction, Isp, RecordedEvent, Webhook } from '@fibre/client';
import { Temporal } from 'temporal-polyfill';
import { type Client, part, say, sayTable, step } from './client.js';

const EVENTS = '/api/v2/sys/events/';
const PERIODS = '/api/v2/sys/periods/';
const CLOSINGS = '/api/v2/sys/closings/';
const WEBHOOKS = '/api/v2/sys/webhooks/';
/** The ISPs are kept under these names, so that a later run of the tour finds them. Their tenants, those of Ivan and Irene, see their lines and what they are charged. */
const ISP = { name: 'Alpen Online', email: 'noc@alpen.example', isp_tenant: 'isp.demo' };
const NEXT_ISP = { name: 'Tauern Net', email: 'noc@tauern.example', isp_tenant: 'isp.other' };
const TIMEZONE = 'Europe/Vienna';

const day = (days: number) => Temporal.Now.plainDateISO(TIMEZONE).add({ days });
/** Midnight relative to today, because fixed dates would not stay in the past or future, with Vienna's UTC offset at that time. */
const midnight = (days: number): string => day(days).toZonedDateTime(TIMEZONE).toString({ smallestUnit: 'second', timeZoneName: 'never' });

export async function tourEvents(operator: Client): Promise<void> {
  part('Event API', 'Each tour records events for a new entity; they are kept, because events are never deleted');
  step('Register an internet service provider; events refer to it by its partner_id');
  const { partner_id } = await operator.keep<Isp>('/api/v2/sys/isps/', ISP);
  const entity_id = randomUUID();
  await recordEvents(operator, entity_id, partner_id);
  await bill(operator, entity_id);
  await changeIsp(operator, entity_id);
  await closeMonth(operator, partner_id);
  await failingWebhook(operator);

  step('The events of the entity in the order of their creation, and the state that follows from them');
  const { body } = await operator.call<RecordedEvent[]>('GET', EVENTS, { query: { entity_id } });
  sayTable([['event_type', 'event_at'], ...body.map(({ event_type, event_at }) => [event_type, event_at])]);
  await operator.call('GET', `/api/v2/sys/entities/${entity_id}/`);

  step('A namespace for development and tests: an empty state, separate from production');
  await operator.call('GET', EVENTS, { query: { entity_id }, headers: { namespace: `tour-${randomUUID()}` } });
}

const put = async (operator: Client, body: object, expect = 201): Promise<RecordedEvent> =>
  (await operator.call<RecordedEvent>('PUT', EVENTS, { body, expect })).body;

async function recordEvents(operator: Client, entity_id: string, partner_id: string): Promise<void> {
  step('Activate an entity');
  const activation = {
    entity_id,
    event_type: 'activation',
    event_at: midnight(-40),
    usr_reference: 'order-4711',
    sys_attributes: { partner_id, article_codes: ['FIBRE-100'] },
  };
  const first = await put(operator, activation);

  step('The same request again, as after a timeout: nothing is written');
  assert.deepEqual(await put(operator, activation, 200), first);

  step('The same event with other user attributes: they are overwritten');
  const overwritten = await put(operator, { ...activation, usr_reference: 'order-4712' });
  assert.equal(overwritten.event_id, first.event_id);

  step('An active entity cannot be activated again');
  await put(operator, { ...activation, event_at: midnight(-35) }, 409);

  step('Change its articles; only notifications may be in the future');
  const update = { entity_id, event_type: 'update', sys_attributes: { article_codes: ['FIBRE-250'] } };
  await put(operator, { ...update, event_at: midnight(-20) });
  await put(operator, { ...update, event_at: midnight(14) }, 422);
  await put(operator, { entity_id, event_type: 'notification', event_at: midnight(14), comment: 'line maintenance' });
}

/** Shows billing for a time window, and how a late event changes it. */
async function bill(operator: Client, entity_id: string): Promise<void> {
  const window = { from: String(day(-30)), to: String(day(0)), entity_id };
  await settle(operator);
  step('What ran in the last thirty days: step by step, clipped to the window');
  const { body: invoice, headers } = await operator.call<ChargedStep[]>('GET', PERIODS, { query: window });
  const recorded_from = headers.get('x-recorded-until')!;
  sayTable([['from', 'to', 'articles'], ...invoice.map(rowOf)]);
  assert.equal(invoice.length, 2);
  say(`x-recorded-until: ${recorded_from}; with recorded_until=${recorded_from} the result never changes`);

  step('Record the end of the subscription only now, although it ended ten days ago');
  await put(operator, { entity_id, event_type: 'deactivation', event_at: midnight(-10) });
  await settle(operator);

  step('What must be credited, and what must be charged instead');
  const query = { ...window, recorded_from: recorded_from.replace('+00:00', 'Z') };
  const { body: corrections } = await operator.call<Correction[]>('GET', `${PERIODS}corrections/`, { query });
  const { before, after } = corrections[0]!;
  sayTable([['', 'from', 'to', 'articles'], ...before.map((one) => ['-', ...rowOf(one)]), ...after.map((one) => ['+', ...rowOf(one)])]);
  // The first step is as it was.
  assert.deepEqual([before, after.map(({ runs_on }) => runs_on)], [invoice.slice(1), [false]]);
}

/** The home chooses another ISP. */
async function changeIsp(operator: Client, entity_id: string): Promise<void> {
  step('Another ISP takes the home over: the line is gone for the first one, and neither sees what the other has');
  const { partner_id } = await operator.keep<Isp>('/api/v2/sys/isps/', NEXT_ISP);
  const sys_attributes = { partner_id, article_codes: ['FIBRE-100'], partner_reference: 'T-2026' };
  await put(operator, { entity_id, event_type: 'activation', event_at: midnight(-5), sys_attributes });
}

/** Closes the last month, and records afterwards what belongs in it. */
async function closeMonth(operator: Client, partner_id: string): Promise<void> {
  const month = day(0).toPlainYearMonth().subtract({ months: 1 });
  const window = { from: String(month.toPlainDate({ day: 1 })), to: String(day(0).with({ day: 1 })) };
  step('Close the last month, as when it is invoiced; the same key returns the same closing, also to a later tour');
  const { body: closing } = await operator.call<Closing>('POST', CLOSINGS, {
    body: { ...window, reference: `TOUR-${month.toString()}` },
    headers: { 'idempotency-key': `tour-${month.toString()}` },
    expect: 201,
  });
  await settle(operator);

  step('A line that began in that month, recorded only now: since the closing, it is a correction');
  const event_at = month.toPlainDate({ day: 10 }).toZonedDateTime(TIMEZONE).toString({ smallestUnit: 'second', timeZoneName: 'never' });
  const sys_attributes = { partner_id, article_codes: ['FIBRE-100'], option82: `eth 0/1/${Date.now() % 1_000}:100` };
  await put(operator, { entity_id: randomUUID(), event_type: 'activation', event_at, sys_attributes });
  await settle(operator);
  const { body } = await operator.call<Correction[]>('GET', `${PERIODS}corrections/`, { query: { closing: closing.closing_id } });
  assert.ok(body.length > 0);
}

/** A webhook whose receiver does not answer: the portal says so on its overview. */
async function failingWebhook(operator: Client): Promise<void> {
  step('A webhook whose receiver is not there: the service tries again, less and less often, and says since when it fails');
  const description = 'a receiver that is not there (npm run tour)';
  // It begins with what was recorded above, so there is something to send.
  const webhook = { url: 'https://receiver.invalid/', feed: 'events', description, since: midnight(0) };
  const { body: known } = await operator.call<Webhook[]>('GET', WEBHOOKS);
  if (!known.some((one) => one.description === description)) await operator.call('POST', WEBHOOKS, { body: webhook, expect: 201 });
}

const rowOf = ({ from, to, article_codes }: ChargedStep): string[] => [from, to, article_codes.join()];

/** Waits until no event that was recorded before now can still appear. */
async function settle(operator: Client): Promise<void> {
  say('waiting a few seconds until no earlier event can still appear ...');
  const now = Date.now();
  const window = { from: String(day(-1)), to: String(day(0)), _page_size: 1 };
  while (Date.parse((await operator.quietly.periods.list(window)).recordedUntil!) <= now) await sleep(500);
}
