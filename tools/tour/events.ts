import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Entity, Isp, RecordedEvent } from '@fibre/client';
import { Temporal } from 'temporal-polyfill';
import { demoClient } from '../dev-issuer/demo-accounts.js';
import { type CallOptions, Client, part, say, sayTable, step } from './client.js';

const EVENTS = '/api/v2/sys/events/';
const ISPS = '/api/v2/sys/isps/';
const LATEST = `${EVENTS}latest/`;
const ENTITIES = '/api/v2/sys/entities/';
/** The ISP is kept under this name, so that a later run of the tour finds it. */
const ISP = { name: 'Alpen Online', email: 'noc@alpen.example' };
const TIMEZONE = 'Europe/Vienna';

export async function tourEvents(api: string, issuer: string, operator: Client): Promise<void> {
  const ano = operator.at(api);
  part('Event API', 'Each tour records events for a new entity; they are kept, because events are never deleted');
  const entity_id = randomUUID();
  const partner_id = await registerIsp(ano);
  const activation = await activate(ano, entity_id, partner_id);
  step('An ISP that is named in an event cannot be deleted');
  await ano.call('DELETE', `${ISPS}${partner_id}/`, { expect: 409 });
  await keepOrder(ano, entity_id, partner_id);
  await refuseTimes(ano, entity_id);
  await list(ano, entity_id);
  await entities(ano);
  step('What another operator sees');
  const other = (await Client.connect(issuer, demoClient('ano-other'), 'OTHER_TOKEN')).at(api);
  await other.call('GET', `${EVENTS}${activation.event_id}/`, { expect: 404 });
  await useNamespace(ano, activation, partner_id);
}

const activationOf = (entity_id: string, partner_id: string) => ({
  ...{ entity_id, event_type: 'activation', event_at: inVienna(-90, '10:00') },
  sys_attributes: { partner_id, article_codes: ['FIBRE-100'] },
  usr_reference: 'order-4711',
});
const updateOf = (entity_id: string, event_at: string, article: string) => ({
  ...{ entity_id, event_type: 'update', event_at },
  sys_attributes: { article_codes: [article] },
});

/** A time relative to today, because fixed dates would not stay in the past or future, with Vienna's UTC offset at that time. */
function inVienna(days: number, plainTime: string): string {
  const day = Temporal.Now.plainDateISO(TIMEZONE).add({ days });
  return day.toZonedDateTime({ timeZone: TIMEZONE, plainTime }).toString({ smallestUnit: 'second', timeZoneName: 'never' });
}

async function put(client: Client, body: object, options: CallOptions = {}): Promise<RecordedEvent> {
  return (await client.call<RecordedEvent>('PUT', EVENTS, { body, expect: 201, ...options })).body;
}

/** The ISP of all tours; an earlier run may already have created it. */
export async function registerIsp(ano: Client): Promise<string> {
  step('Register an internet service provider; events refer to it by its partner_id');
  return (await ano.keep<Isp>(ISPS, ISP)).partner_id;
}

async function activate(ano: Client, entity_id: string, partner_id: string): Promise<RecordedEvent> {
  step('Activate an entity');
  const request = activationOf(entity_id, partner_id);
  const first = await put(ano, request);
  say(JSON.stringify(first));

  step('The same request again, as after a timeout');
  const repeated = await put(ano, request, { expect: 200 });
  assert.deepEqual(repeated, first);
  say(`event_id ${repeated.event_id} as before; nothing was written, modified_at is still ${repeated.modified_at}`);

  step('The same event with other user attributes: they are overwritten');
  const overwritten = await put(ano, { ...request, usr_reference: 'order-4712' });
  assert.equal(overwritten.event_id, first.event_id);
  say(`event_id ${overwritten.event_id} as before, modified at ${overwritten.modified_at}`);
  return overwritten;
}

async function keepOrder(ano: Client, entity_id: string, partner_id: string): Promise<void> {
  step('An active entity cannot be activated again');
  await put(ano, { ...activationOf(entity_id, partner_id), event_at: inVienna(-45, '10:00') }, { expect: 409 });

  step('Record a forgotten event in the past, if the order allows it');
  await put(ano, updateOf(entity_id, inVienna(-30, '10:00'), 'FIBRE-50'));
  await put(ano, updateOf(entity_id, inVienna(-60, '00:30'), 'FIBRE-250'));
  say('a deactivation between these two could follow the first, but the second could not follow it:');
  await put(ano, { entity_id, event_type: 'deactivation', event_at: inVienna(-45, '10:00') }, { expect: 409 });
}

async function refuseTimes(ano: Client, entity_id: string): Promise<void> {
  step('Only notifications may be in the future');
  const event_at = inVienna(14, '03:00');
  await put(ano, updateOf(entity_id, event_at, 'FIBRE-1000'), { expect: 422 });
  await put(ano, { entity_id, event_type: 'notification', event_at, comment: 'line maintenance' });

  step('An offset that Vienna never has');
  await put(ano, updateOf(entity_id, inVienna(-20, '10:00').replace(/\+.*/, '+09:00'), 'FIBRE-1000'), { expect: 422 });

  step('Deactivate it');
  await put(ano, { entity_id, event_type: 'deactivation', event_at: inVienna(-10, '18:00') });
}

async function list(ano: Client, entity_id: string): Promise<void> {
  step('List the events of the entity in the order of their creation');
  const { body } = await ano.call<RecordedEvent[]>('GET', EVENTS, { query: { entity_id } });
  sayEvents(body);

  step('The latest event of the entity is the one created last');
  sayEvents((await ano.call<RecordedEvent[]>('GET', LATEST, { query: { entity_id } })).body);
}

async function entities(ano: Client): Promise<void> {
  step('The state of the entity, derived from its events: inactive now, active before the deactivation');
  const size = { _page_size: 3 };
  for (const query of [
    { state: 'inactive', ...size },
    { state: 'active', at: inVienna(-11, '18:00'), ...size },
  ]) {
    const { body } = await ano.call<Entity[]>('GET', ENTITIES, { query });
    sayTable([['entity_id', 'state', 'since'], ...body.map((entity) => [entity.entity_id, entity.state, entity.since])]);
  }
}

function sayEvents(events: readonly RecordedEvent[]): void {
  if (events.length === 0) return say('nothing there');
  const articles = ({ sys_attributes }: RecordedEvent): string =>
    (sys_attributes as { article_codes?: string[] })?.article_codes?.join() ?? '';
  sayTable([['event_type', 'event_at', 'article'], ...events.map((one) => [one.event_type, one.event_at, articles(one)])]);
}

async function useNamespace(ano: Client, production: RecordedEvent, partner_id: string): Promise<void> {
  step('A namespace for development and tests: an empty state, separate from production');
  const { entity_id } = production;
  const headers = { namespace: `tour-${randomUUID()}` };
  sayEvents((await ano.call<RecordedEvent[]>('GET', EVENTS, { query: { entity_id }, headers })).body);
  await ano.call('PUT', `${ISPS}${partner_id}/`, { body: { name: ISP.name }, headers, expect: 201 });
  const event = await put(ano, activationOf(entity_id, partner_id), { headers });
  assert.notEqual(event.event_id, production.event_id);
  sayEvents((await ano.call<RecordedEvent[]>('GET', LATEST, { query: { entity_id }, headers })).body);
  say('and production, without the header, is unchanged:');
  sayEvents((await ano.call<RecordedEvent[]>('GET', LATEST, { query: { entity_id } })).body);
}
