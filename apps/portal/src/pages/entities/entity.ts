import type { components } from '../../api/generated/events.js';
import { type Answer, type Apis, answer } from '../../api/clients.js';
import { nextCursor } from '../../api/pages.js';
import type { Isp } from '../isps/isp.js';

export type Entity = components['schemas']['EntityResponse'];
export type EntityWithPeriods = components['schemas']['EntityWithPeriodsResponse'];
export type Period = components['schemas']['PeriodResponse'];
export type RecordedEvent = components['schemas']['EventResponse'];

export const STATES = ['active', 'inactive', 'announced'] as const;
export type State = (typeof STATES)[number];
export const EVENT_TYPES = ['activation', 'update', 'deactivation', 'notification'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** The most that the service gives in one page. */
const MOST = 2_000;

/** The events that may come next (SPEC section 3.2); without a state the entity has no event yet. */
export const nextEvents = (state?: string): readonly EventType[] =>
  state === 'active' ? ['update', 'deactivation', 'notification'] : ['activation', 'notification'];

export interface EntityFilters {
  readonly state?: State;
  readonly partner_id?: string;
  readonly article_code?: string;
  readonly at?: string;
}

type PageQuery = { _page_size: number; _page_cursor?: string };

export const listEntities = ({ events }: Apis, query: PageQuery & EntityFilters, signal: AbortSignal): Promise<Answer<Entity[]>> =>
  answer(events.GET('/api/v2/sys/entities', { params: { query }, signal }));

export async function readEntity({ events }: Apis, entity_id: string, signal: AbortSignal): Promise<EntityWithPeriods> {
  return (await answer(events.GET('/api/v2/sys/entities/{entity_id}', { params: { path: { entity_id } }, signal }))).data;
}

export const listEvents = (
  { events }: Apis,
  query: PageQuery & { entity_id: string },
  signal: AbortSignal,
): Promise<Answer<RecordedEvent[]>> => answer(events.GET('/api/v2/sys/events', { params: { query }, signal }));

/** Records of one page of the largest size, and whether there are more. */
export interface Some<T> {
  readonly items: readonly T[];
  readonly hasMore: boolean;
}

const some = async <T>(fetched: Promise<Answer<T[]>>): Promise<Some<T>> => {
  const { data, response } = await fetched;
  return { items: data, hasMore: nextCursor(response) !== undefined };
};

/** The events of an entity that were recorded first. */
export const firstEvents = (apis: Apis, entity_id: string, signal: AbortSignal): Promise<Some<RecordedEvent>> =>
  some(listEvents(apis, { entity_id, _page_size: MOST }, signal));

export const firstIsps = ({ events }: Apis, signal: AbortSignal): Promise<Some<Isp>> =>
  some(answer(events.GET('/api/v2/sys/isps', { params: { query: { _page_size: MOST } }, signal })));

/** A subscription's part in which nothing changes: what is charged, and from when to when. */
export interface Charge {
  readonly event_id: string;
  readonly from: string;
  /** Absent while it runs. */
  readonly to?: string;
  /** Whether the subscription ends there, and not just this part of it. */
  readonly isLast: boolean;
  readonly isFirst: boolean;
  readonly partner_id: string;
  readonly article_codes: readonly string[];
  readonly option82?: string;
  readonly partner_reference?: string;
}

/** The steps of the periods, one after the other. */
export const chargesOf = (periods: readonly Period[]): Charge[] =>
  periods.flatMap(({ from, to, partner_id, steps }) =>
    steps.map((step, index) => {
      const end = steps[index + 1]?.from ?? to;
      return {
        ...step,
        partner_id,
        ...(end !== undefined && { to: end }),
        isFirst: step.from === from,
        isLast: index === steps.length - 1,
      };
    }),
  );
