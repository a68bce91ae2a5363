import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChargedStep, Correction } from '@fibre/client';
import { Temporal } from 'temporal-polyfill';
import { type Client, part, say, sayTable, step } from './client.js';
import { registerIsp } from './events.js';

const EVENTS = '/api/v2/sys/events/';
const PERIODS = '/api/v2/sys/periods/';
const TIMEZONE = 'Europe/Vienna';

const today = Temporal.Now.plainDateISO(TIMEZONE);
const day = (days: number): string => today.add({ days }).toString();
const midnight = (days: number): string =>
  today.add({ days }).toZonedDateTime(TIMEZONE).toString({ smallestUnit: 'second', timeZoneName: 'never' });

/** Shows billing for a time window, and how a late event changes it. */
export async function tourBilling(api: string, _issuer: string, operator: Client): Promise<void> {
  const ano = operator.at(api);
  part('Billing', 'What is charged, as known at a certain time, and what has changed since');
  const entity_id = randomUUID();
  const put = (event_type: string, days: number, sys_attributes?: object): Promise<unknown> =>
    ano.call('PUT', EVENTS, { body: { entity_id, event_type, event_at: midnight(days), sys_attributes }, expect: 201 });
  const window = { from: day(-30), to: day(0), entity_id };

  const partner_id = await registerIsp(ano);

  step('A subscription that began before the window and changed within it');
  await put('activation', -40, { partner_id, article_codes: ['FIBRE-100'] });
  await put('update', -20, { article_codes: ['FIBRE-250'] });
  await settle(ano);

  step('What ran in the last thirty days: step by step, clipped to the window');
  const { body: invoice, headers } = await ano.call<ChargedStep[]>('GET', PERIODS, { query: window });
  const recorded_from = headers.get('x-recorded-until')!;
  sayTable([['from', 'to', 'articles'], ...invoice.map(rowOf)]);
  assert.equal(invoice.length, 2);
  say(`x-recorded-until: ${recorded_from}; with recorded_until=${recorded_from} the result never changes`);

  step('Record the end of the subscription only now, although it ended ten days ago');
  await put('deactivation', -10);
  await settle(ano);

  step('What must be credited, and what must be charged instead');
  const { body: corrections } = await ano.call<Correction[]>('GET', `${PERIODS}corrections/`, {
    query: { ...window, recorded_from: recorded_from.replace('+00:00', 'Z') },
  });
  for (const { before, after } of corrections) {
    sayTable([['', 'from', 'to', 'articles'], ...before.map((one) => ['-', ...rowOf(one)]), ...after.map((one) => ['+', ...rowOf(one)])]);
    // The first step is as it was.
    assert.deepEqual([before, after.map(({ runs_on }) => runs_on)], [invoice.slice(1), [false]]);
  }
  assert.equal(corrections.length, 1);
}

const rowOf = ({ from, to, article_codes }: ChargedStep): string[] => [from, to, article_codes.join()];

/** Waits until no event that was recorded before now can still appear. */
async function settle(ano: Client): Promise<void> {
  say('waiting a few seconds until no earlier event can still appear ...');
  const now = new Date().toISOString();
  const look = { from: day(-1), to: day(0), _page_size: 1 };
  for (let settled = ''; settled <= now; await sleep(500))
    settled = new Date((await ano.quietly.periods.list(look)).recordedUntil!).toISOString();
}
