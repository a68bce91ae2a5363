import { setTimeout as sleep } from 'node:timers/promises';
import { ContentionError } from '@fibre/database';
import { type Problem, recordNotFound } from '@fibre/problems';
import { Inject, Injectable } from '@nestjs/common';
import { counter } from '@fibre/server';
import { type Counter, Registry } from 'prom-client';
import { canonicalSysAttributes, hashSysAttributes } from '../event-attributes/sys-attributes.js';
import { canonicalUsrAttributes } from '../event-attributes/usr-attributes.js';
import { EVENT_ENV, type EventEnv } from '../event.env.js';
import { ispNotRegistered } from '../isps/isp.problems.js';
import { IspsRepository } from '../isps/isps.repository.js';
import { NamespacesService } from '../namespaces/namespaces.service.js';
import { shardKeyInId, shardKeyOf } from '../timeline/event-id.js';
import { DEFAULT_TIMEZONE } from '../timeline/event-time.js';
import { brokenSteps } from '../timeline/order-rules.js';
import type { TimelineKey } from '../timeline/timeline.js';
import { type RequestedEvent, USER_ATTRIBUTE_NAMES, type UserAttributes } from './event.js';
import { eventInFuture, eventOrder, eventTimeTaken } from './event.problems.js';
import type { RecordEventRequest } from './event.requests.js';
import type { Outcome } from './event.response.js';
import { EventsRepository, type TimelineState } from './events.repository.js';

/** The outcome of a request to record an event, and the event as JSON. */
export interface RecordedEvent {
  readonly outcome: Outcome;
  readonly eventId: string;
  readonly json: string;
}

/** Maximum number of attempts of one request to write to a busy timeline. */
const MAX_ATTEMPTS = 30;
/** Milliseconds. The pause after attempt n is random, up to n times this value, so that the same requests don't collide again. */
const PAUSE_MS = 2;
const MAX_PAUSE_MS = 40;

/** Rules for recording and reading single events. Every method sees only the events of the tenant and namespace it is given. */
@Injectable()
export class EventsService {
  private readonly retries: Counter;

  constructor(
    private readonly repository: EventsRepository,
    private readonly namespaces: NamespacesService,
    private readonly isps: IspsRepository,
    @Inject(EVENT_ENV) private readonly env: Pick<EventEnv, 'ISPS'>,
    registry: Registry,
  ) {
    const help = 'Attempts to record an event that conflicted with another on the same timeline and were retried';
    this.retries = counter(registry, 'timeline_retries_total', help);
  }

  /**
   * Records an event once, however many times and on whichever replica the request arrives (docs/adr/0007). Works optimistically, with two
   * round trips to the database: it decides based on what it read, and only writes if the timeline has not changed since.
   *
   * @throws Problem 409 `event-order`, `event-time-taken`, 422 `event-in-future`, or for an unregistered ISP
   * @throws ContentionError after the last attempt
   */
  async record(tenant: string, namespace: string | undefined, request: RecordEventRequest): Promise<RecordedEvent> {
    const namespaceId = await this.namespaces.forWriting(tenant, namespace);
    const key: TimelineKey = { tenant, namespaceId, entityId: request.entity_id, shardKey: shardKeyOf(request.entity_id) };
    const requested = toRequestedEvent(request, this.env.ISPS);
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const timeline = await this.repository.readTimeline(key, requested);
      const { existing } = timeline;
      if (existing?.same_core) {
        const eventId = existing.event_id;
        if (existing.same_user) return { outcome: 'repeated', eventId, json: existing.json };
        const json = await this.repository.overwrite(key, eventId, requested.user);
        if (json !== undefined) return { outcome: 'overwritten', eventId, json };
      } else {
        refuseFuture(requested, timeline.now);
        await this.refuseConflict(key, requested, timeline);
        const { outcome, event_id: eventId, json } = await this.repository.append(key, timeline, requested);
        if (outcome === 'added') return { outcome: 'created', eventId, json };
        if (outcome === 'no-isp') throw ispNotRegistered(requested.isp!.partnerId);
      }
      // Another request has changed what was read.
      this.retries.inc();
      await sleep(Math.random() * Math.min(attempt * PAUSE_MS, MAX_PAUSE_MS));
    }
    throw new ContentionError(MAX_ATTEMPTS, new Error(`the timeline of ${request.entity_id} changed during every attempt`));
  }

  /**
   * What {@link record} would do now. Writes nothing, not even the namespace.
   *
   * @throws Problem as {@link record} does
   */
  async predict(tenant: string, namespace: string | undefined, request: RecordEventRequest): Promise<Outcome> {
    const namespaceId = await this.namespaces.forReading(tenant, namespace);
    const key: TimelineKey = { tenant, namespaceId, entityId: request.entity_id, shardKey: shardKeyOf(request.entity_id) };
    const requested = toRequestedEvent(request, this.env.ISPS);
    const timeline = await this.repository.readTimeline(key, requested);
    if (timeline.existing?.same_core) return timeline.existing.same_user ? 'repeated' : 'overwritten';
    refuseFuture(requested, timeline.now);
    await this.refuseConflict(key, requested, timeline);
    await this.refuseUnregistered(key, requested);
    return 'created';
  }

  /** @throws Problem 404 */
  async read(tenant: string, namespace: string | undefined, eventId: string): Promise<string> {
    const namespaceId = await this.namespaces.forReading(tenant, namespace);
    const json = await this.repository.find({ tenant, namespaceId, shardKey: shardKeyInId(eventId) }, eventId);
    if (json === undefined) throw recordNotFound('event', eventId);
    return json;
  }

  /** Refuses an unregistered ISP (422) before a conflict (409). */
  private async refuseConflict(key: TimelineKey, requested: RequestedEvent, timeline: TimelineState): Promise<void> {
    const conflict = conflictOf(requested, timeline);
    if (!conflict) return;
    await this.refuseUnregistered(key, requested);
    throw conflict;
  }

  private async refuseUnregistered({ tenant, namespaceId }: TimelineKey, { isp }: RequestedEvent): Promise<void> {
    if (isp?.isRequired && !(await this.isps.find({ tenant, namespace_id: namespaceId, partner_id: isp.partnerId })))
      throw ispNotRegistered(isp.partnerId);
  }
}

/** @throws Problem if the event is a lifecycle event in the future */
function refuseFuture({ type, at }: RequestedEvent, now: Date): void {
  if (type !== 'notification' && at.isAfter(now)) throw eventInFuture(now);
}

/** Why the event cannot be added. */
function conflictOf({ type }: RequestedEvent, { existing, previous, next }: TimelineState): Problem | undefined {
  if (type === 'notification') return undefined;
  if (existing) return eventTimeTaken(existing);
  const broken = brokenSteps(previous?.event_type, next?.event_type, type);
  return broken.length > 0 ? eventOrder(type, broken, { previous, next }) : undefined;
}

/** A validated request as it is compared and stored. */
function toRequestedEvent(request: RecordEventRequest, ispsMode: EventEnv['ISPS']): RequestedEvent {
  const type = request.event_type;
  const sysAttributes = canonicalSysAttributes(request.sys_attributes);
  const partnerId = request.sys_attributes && 'partner_id' in request.sys_attributes ? request.sys_attributes.partner_id : undefined;
  return {
    type,
    at: request.event_at,
    timezone: request.event_timezone ?? DEFAULT_TIMEZONE,
    sysAttributes,
    sysHash: hashSysAttributes(sysAttributes),
    isp: partnerId ? { partnerId, isRequired: ispsMode === 'registered' && type === 'activation' } : undefined,
    user: userAttributesOf(request),
  };
}

/** Converts objects to canonical JSON; other values are stored as sent. */
const userAttributesOf = (request: RecordEventRequest): UserAttributes =>
  Object.fromEntries(
    USER_ATTRIBUTE_NAMES.map((name) => {
      const sent = request[name];
      return [name, typeof sent === 'object' ? canonicalUsrAttributes(sent) : (sent ?? null)];
    }),
  ) as UserAttributes;
