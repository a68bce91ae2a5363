import type { Model } from './linearizable.js';

/** Requests about one entity of event-service. */
export type EntityRequest =
  | {
      readonly do: 'put';
      readonly type: string;
      readonly at: string;
      /** The ISP that an activation names. */
      readonly partner_id?: string;
      readonly partner_reference?: string;
      readonly usr_reference: string;
    }
  | { readonly do: 'list' };

/** An event as far as the model knows it. The response to its first request may have been lost, and then its id is unknown. */
interface Recorded {
  readonly event_id?: string;
  readonly type: string;
  readonly at: string;
  readonly partner_id?: string;
  readonly partner_reference?: string;
  readonly usr_reference: string;
}

export interface EntityAnswer {
  readonly status: number;
  /** Of a refused request. */
  readonly code?: string;
  /** The recorded event, or all of the entity in order of creation. */
  readonly events?: readonly Required<Pick<Recorded, 'event_id' | 'type' | 'at' | 'usr_reference'>>[];
}

/** Consecutive subscriptions, the last of which may still be running. */
const SUBSCRIPTIONS = /^(AU*D)*(AU*)?$/;
const LETTERS: Readonly<Record<string, string>> = { activation: 'A', update: 'U', deactivation: 'D' };

/** The rules of SPEC section 3.2, as a sequential program. The state is the events of the entity in order of creation. */
export const ENTITY: Model<readonly Recorded[], EntityRequest, EntityAnswer> = {
  initial: [],
  step(events, request, answer) {
    if (request.do === 'list') return answer ? listed(events, answer) : events;
    const { do: _do, ...sent } = request;
    const index = events.findIndex(
      ({ type, at, partner_id, partner_reference }) =>
        type === sent.type && at === sent.at && partner_id === sent.partner_id && partner_reference === sent.partner_reference,
    );
    if (index >= 0) {
      const known = events[index]!;
      const status = known.usr_reference === sent.usr_reference ? 200 : 201;
      const said = answer?.events?.[0]?.event_id;
      if (answer && (answer.status !== status || (known.event_id ?? said) !== said)) return undefined;
      return events.with(index, { ...known, event_id: known.event_id ?? said, usr_reference: sent.usr_reference });
    }
    const refusal = refusalOf(events, sent);
    if (answer && (answer.status !== (refusal ? 409 : 201) || answer.code !== refusal)) return undefined;
    return refusal ? events : [...events, { ...sent, event_id: answer?.events?.[0]?.event_id }];
  },
};

function refusalOf(events: readonly Recorded[], added: Recorded): string | undefined {
  if (added.type === 'notification') return undefined;
  const lifecycle = events.filter(({ type }) => type !== 'notification');
  if (lifecycle.some(({ at }) => at === added.at)) return 'event-time-taken';
  const letters = [...lifecycle, added].sort((a, b) => (a.at < b.at ? -1 : 1)).map(({ type }) => LETTERS[type]);
  return SUBSCRIPTIONS.test(letters.join('')) ? undefined : 'event-order';
}

function listed(events: readonly Recorded[], { status, events: seen = [] }: EntityAnswer): readonly Recorded[] | undefined {
  if (status !== 200 || seen.length !== events.length) return undefined;
  const isSame = events.every(({ event_id, type, at, usr_reference }, index) => {
    const there = seen[index]!;
    return (
      (event_id ?? there.event_id) === there.event_id && type === there.type && at === there.at && usr_reference === there.usr_reference
    );
  });
  return isSame ? events.map((event, index) => ({ ...event, event_id: seen[index]!.event_id })) : undefined;
}
