import type { DryRun, EntityWithPeriods, FibreClient, RecordedEvent } from '@fibre/client';
import { Temporal } from 'temporal-polyfill';
import { chargesOf, type EventType } from '../entity.js';
import { momentsAt, USUAL_ZONE } from '../local-time.js';

/** Initial values of the event form, keyed by the field names that the service's errors use. */
export const NO_VALUES = {
  entity_id: '',
  event_at: '',
  event_timezone: USUAL_ZONE,
  /** Which of two moments `event_at` means, if the hour occurs twice. */
  which: '',
  'sys_attributes.partner_id': '',
  'sys_attributes.article_codes': '',
  'sys_attributes.option82': '',
  'sys_attributes.partner_reference': '',
  usr_reference: '',
  comment: '',
  /** Own names and values, one pair per line: `name: value`. */
  usr_attributes: '',
};
export type EventValues = Record<keyof typeof NO_VALUES, string>;

const PARTNER = 'sys_attributes.partner_id';
const ARTICLES = 'sys_attributes.article_codes';
const PARTS: Record<EventType, readonly (keyof EventValues)[]> = {
  activation: [PARTNER, ARTICLES],
  update: [ARTICLES],
  deactivation: [],
  notification: [PARTNER, ARTICLES],
};
/** Whether events of this type have this subscription field. */
export const hasPart = (type: EventType, name: keyof EventValues): boolean => PARTS[type].includes(name === PARTNER ? PARTNER : ARTICLES);

export const requiredOf = (type: EventType): readonly (keyof EventValues)[] => [
  'entity_id',
  'event_at',
  'event_timezone',
  ...(type === 'notification' ? [] : PARTS[type]),
];

/** The article codes in a value that has one code per line; empty lines are dropped. */
export const codesOf = (value: string): string[] => value.split('\n').filter(Boolean);

/** The form values that a subscription has. */
export type SubscriptionValues = Pick<EventValues, (typeof SUBSCRIPTION)[number]>;
export const SUBSCRIPTION = ['sys_attributes.article_codes', 'sys_attributes.option82', 'sys_attributes.partner_reference'] as const;

/** The form values of the subscription that runs at a moment, by default now; empty if none does. */
export function valuesAt(entity: EntityWithPeriods, moment?: string): SubscriptionValues {
  const isNotAfter = (one: string, other: string): boolean => Temporal.Instant.compare(one, other) <= 0;
  const runsAt = (at: string) =>
    chargesOf(entity.periods).find(({ from, to }) => isNotAfter(from, at) && (to === undefined || !isNotAfter(to, at)));
  const { article_codes = [], option82 = '', partner_reference = '' } = (moment === undefined ? entity : runsAt(moment)) ?? {};
  return {
    'sys_attributes.article_codes': article_codes.join('\n'),
    'sys_attributes.option82': option82,
    'sys_attributes.partner_reference': partner_reference,
  };
}

/** The moment that the values stand for; `undefined` while they are incomplete, or stand for none. */
export function momentOf({
  event_at,
  event_timezone,
  which,
}: Pick<EventValues, 'event_at' | 'event_timezone' | 'which'>): string | undefined {
  const moments = momentsAt(event_at, event_timezone) ?? [];
  return moments.length > 1 ? moments.find((moment) => moment === which) : moments[0];
}

/** The pairs of names and values in a text that has one pair per line; nothing if there is none. */
export function attributesOf(text: string): Record<string, string> | undefined {
  const pairs = text.split('\n').flatMap((line) => {
    const [name = '', ...rest] = line.split(':');
    return name.trim() === '' ? [] : [[name.trim(), rest.join(':').trim()] as const];
  });
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs);
}

/** The attributes of the event with this type and moment, if it was recorded before: recording it again must not clear them. */
export async function attributesBefore({ events }: FibreClient, id: string, type: EventType, at: string): Promise<object | undefined> {
  for await (const event of events.list({ entity_id: id }))
    if (event.event_type === type && Date.parse(event.event_at) === Date.parse(at)) return event.usr_attributes;
  return undefined;
}

/**
 * The event as JSON.
 *
 * @param eventAt the moment that the {@link EventValues} stand for
 * @param kept the attributes if none are entered
 */
export function eventText(type: EventType, eventAt: string, values: EventValues, kept?: object): string {
  const given = (name: keyof EventValues) => (values[name] === '' ? undefined : values[name]);
  const part = (name: keyof EventValues) => (hasPart(type, name) ? given(name) : undefined);
  const codes = part('sys_attributes.article_codes');
  const sys_attributes = {
    partner_id: part('sys_attributes.partner_id')?.trim(),
    article_codes: codes && codesOf(codes),
    option82: part('sys_attributes.option82'),
    partner_reference: part('sys_attributes.partner_reference'),
  };
  return JSON.stringify({
    entity_id: values.entity_id.trim(),
    event_type: type,
    event_at: eventAt,
    event_timezone: values.event_timezone,
    ...(Object.values(sys_attributes).some((value) => value !== undefined) && { sys_attributes }),
    usr_reference: given('usr_reference'),
    comment: given('comment'),
    usr_attributes: attributesOf(values.usr_attributes) ?? kept,
  });
}

/** @returns the event, and the outcome of the request */
export async function recordEvent({ events }: FibreClient, event: string): Promise<{ event: RecordedEvent; outcome: DryRun['outcome'] }> {
  const { data, response } = await events.put(event).withResponse();
  // 201 means created or overwritten; both timestamps of a new event are the same.
  const created = data.modified_at === data.created_at ? 'created' : 'overwritten';
  return { event: data, outcome: response.status === 200 ? 'repeated' : created };
}
