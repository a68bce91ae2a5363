/**
 * An independent implementation of the rules for events, deliberately unlike the service's: it replays whole timelines and matches them
 * against the grammar of subscriptions, instead of checking neighbours.
 */

export interface ModelRequest {
  readonly tenant: string;
  readonly namespace: string | undefined;
  readonly type: string;
  /** UTC with six digits, so that text order is time order. */
  readonly at: string;
  /** Index of the sys_attributes. */
  readonly sys: number;
  readonly user: object | undefined;
}

/** The expected response; events have the keys of the model. */
export interface Verdict {
  readonly status: number;
  readonly code?: string;
  readonly key?: string;
  readonly conflicts?: readonly string[];
}

interface ModelEvent {
  readonly key: string;
  readonly type: string;
  readonly at: string;
  readonly sys: number;
  user: object;
}

/** What a lifecycle event contains about a subscription. */
export type ModelAttributes = Partial<Record<'partner_id' | 'option82' | 'partner_reference', string>> & {
  readonly article_codes?: string[];
};

/** State of an entity as the service shows it, with `since` as an instant of the model. */
export type ModelState = ModelAttributes & {
  readonly state: string;
  readonly since: string;
  readonly last_subscription?: Omit<ModelAttributes, 'article_codes'>;
};

/** A subscription, with the key of the event that begins each step. */
export interface ModelPeriod {
  from: string;
  to?: string;
  partner_id?: string;
  steps: (ModelAttributes & { from: string; key: string })[];
}

/** Consecutive subscriptions, the last of which may still be running: A U* D A U* D ... */
const LIVES = /^(AU*D)*(AU*)?$/;
const LETTERS: Readonly<Record<string, string>> = { activation: 'A', update: 'U', deactivation: 'D' };

type Placed = Pick<ModelEvent, 'type' | 'at'>;

const byTime = (a: Placed, b: Placed): number => (a.at < b.at ? -1 : 1);

/** Whether the lifecycle events among these are at different instants, and form consecutive subscriptions. */
export function isLegalLife(events: readonly Placed[]): boolean {
  const lifecycle = events.filter(({ type }) => type !== 'notification').sort(byTime);
  const distinct = new Set(lifecycle.map(({ at }) => at)).size === lifecycle.length;
  return distinct && LIVES.test(lifecycle.map(({ type }) => LETTERS[type]).join(''));
}

/** Key of the timeline within the entity. */
export const scopeOf = ({ tenant, namespace }: Pick<ModelRequest, 'tenant' | 'namespace'>): string => `${tenant} in ${namespace}`;

/** The timelines of one entity. */
export class Oracle {
  private readonly timelines = new Map<string, ModelEvent[]>();

  record({ type, at, sys, user = {}, ...request }: ModelRequest): Verdict {
    const events = this.timeline(scopeOf(request));
    // A deactivation has no sys_attributes that could differ.
    const key = [type, at, type === 'deactivation' ? '' : sys].join('|');
    const same = events.find((event) => event.key === key);
    if (same) {
      if (JSON.stringify(same.user) === JSON.stringify(user)) return { status: 200, key };
      same.user = user;
      return { status: 201, key };
    }
    const added: ModelEvent = { key, type, at, sys, user };
    if (type !== 'notification') {
      if (at > '2100') return { status: 422, code: 'event-in-future' };
      const lifecycle = events.filter((event) => event.type !== 'notification').sort(byTime);
      const there = lifecycle.find((event) => event.at === at);
      if (there) return { status: 409, code: 'event-time-taken', conflicts: [there.key] };
      if (!isLegalLife([...lifecycle, added])) {
        const before = lifecycle.filter((event) => event.at < at).slice(-1);
        const after = lifecycle.filter((event) => event.at > at).slice(0, 1);
        return { status: 409, code: 'event-order', conflicts: [...before, ...after].map((event) => event.key) };
      }
    }
    events.push(added);
    return { status: 201, key };
  }

  /** In order of creation. */
  timeline(scope: string): ModelEvent[] {
    const events = this.timelines.get(scope) ?? [];
    this.timelines.set(scope, events);
    return events;
  }

  /** The subscriptions of a timeline, found by walking through it from the start. */
  periods(scope: string, attributesOf: (event: Pick<ModelEvent, 'type' | 'sys'>) => ModelAttributes, at = '9999'): ModelPeriod[] {
    const periods: ModelPeriod[] = [];
    let inForce: ModelAttributes = {};
    for (const event of this.timeline(scope)
      .filter(({ type }) => type !== 'notification')
      .sort(byTime)) {
      if (event.at > at) break;
      if (event.type === 'deactivation') {
        periods.at(-1)!.to = event.at;
        continue;
      }
      const { partner_id, ...given } = attributesOf(event);
      if (event.type === 'activation') periods.push({ from: event.at, partner_id, steps: [] });
      inForce = event.type === 'activation' ? given : { ...inForce, ...given };
      periods.at(-1)!.steps.push({ from: event.at, key: event.key, ...inForce });
    }
    return periods;
  }

  /** The state of a timeline's entity, now or at an instant; `undefined` before its first event. */
  state(scope: string, attributesOf: (event: Pick<ModelEvent, 'type' | 'sys'>) => ModelAttributes, at = '9999'): ModelState | undefined {
    const last = this.periods(scope, attributesOf, at).at(-1);
    if (last) {
      const { from: _from, key: _key, article_codes, ...attributes } = last.steps.at(-1)!;
      const subscription = { partner_id: last.partner_id, ...attributes };
      if (last.to !== undefined) return { state: 'inactive', since: last.to, last_subscription: subscription };
      return { state: 'active', since: last.from, article_codes, ...subscription };
    }
    const notification = this.timeline(scope)
      .filter((event) => event.at <= at)
      .sort(byTime)[0];
    return notification && { state: 'announced', since: notification.at };
  }
}
