import { setTimeout as sleep } from 'node:timers/promises';
import { ContentionError, Database, isUniqueViolation } from '@fibre/database';
import { found, invalidRequest, jsonPointer, Problem } from '@fibre/problems';
import { Inject, Injectable } from '@nestjs/common';
import { canonicalSysAttributes, hashSysAttributes } from '../event-attributes/sys-attributes.js';
import { canonicalUsrAttributes } from '../event-attributes/usr-attributes.js';
import { EVENT_ENV, type EventEnv } from '../event.env.js';
import { ispNotRegistered } from '../isps/isp.problems.js';
import { IspsRepository } from '../isps/isps.repository.js';
import { NamespacesService } from '../namespaces/namespaces.service.js';
import { RefusedEvents } from '../refused-events/refused-events.js';
import { keyOf, shardKeyInId } from '../timeline/event-id.js';
import { DEFAULT_TIMEZONE } from '../timeline/event-time.js';
import type { TimelineKey } from '../timeline/timeline.js';
import { type RequestedEvent, USER_ATTRIBUTE_NAMES, type UserAttributes } from './event.js';
import { eventInFuture, eventTimeTaken, orderFault } from './event.problems.js';
import type { RecordEventRequest } from './event.requests.js';
import type { Outcome } from './event.response.js';
import { appendEvent, overwriteUserAttributes, readTimeline, selectEvent, type TimelineState, type Written } from './event.sql.js';

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
  constructor(
    private readonly database: Database,
    private readonly namespaces: NamespacesService,
    private readonly isps: IspsRepository,
    private readonly refused: RefusedEvents,
    @Inject(EVENT_ENV) private readonly env: Pick<EventEnv, 'ISPS'>,
  ) {}

  /**
   * Records an event once, however many times and on whichever replica the request arrives (docs/adr/0007). Works optimistically, with two
   * round trips to the database: it decides based on what it read, and only writes if the timeline has not changed since.
   *
   * @throws Problem 409 `event-order`, `event-time-taken`, 422 `event-in-future`, or for an unregistered ISP
   * @throws ContentionError after the last attempt
   */
  async record(tenant: string, actor: string | null, namespace: string | undefined, request: RecordEventRequest): Promise<RecordedEvent> {
    const key = keyOf(tenant, await this.namespaces.forWriting(tenant, namespace), request.entity_id);
    const requested = toRequestedEvent(request, this.env.ISPS, actor);
    try {
      return await this.write(key, request, requested);
    } catch (error) {
      if (error instanceof Problem) await this.refused.add(toRefusedEvent(key, requested, error));
      throw error;
    }
  }

  private async write(key: TimelineKey, request: RecordEventRequest, requested: RequestedEvent): Promise<RecordedEvent> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const { outcome, timeline } = await this.decide(key, request, requested);
      const { head, next, existing } = timeline;
      if (outcome === 'repeated') return { outcome, eventId: existing!.event_id, json: existing!.json };
      const isLast = requested.type !== 'notification' && !next;
      const write = existing
        ? overwriteUserAttributes(key, existing.event_id, requested)
        : appendEvent(key, { version: head.version, isLast }, requested);
      const [written] = await this.database.run<Written & object>(write).catch((error: unknown) => {
        if (isUniqueViolation(error)) return [];
        throw error;
      });
      if (written?.outcome === 'no-isp') throw ispNotRegistered(requested.isp!.partnerId);
      if (written?.json) return { outcome, eventId: written.event_id!, json: written.json };
      // Another request has changed what was read, or has recorded this event.
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
    const key = keyOf(tenant, await this.namespaces.forReading(tenant, namespace), request.entity_id);
    const requested = toRequestedEvent(request, this.env.ISPS, null);
    const { outcome } = await this.decide(key, request, requested);
    if (outcome === 'created') await this.refuseUnregistered(key, requested);
    return outcome;
  }

  /** @throws Problem 404 */
  async read(tenant: string, namespace: string | undefined, eventId: string): Promise<string> {
    const namespaceId = await this.namespaces.forReading(tenant, namespace);
    const key = { tenant, namespaceId, shardKey: shardKeyInId(eventId) };
    const [event] = await this.database.run<{ json: string }>(selectEvent(key, eventId));
    return found(event, 'event', eventId).json;
  }

  /**
   * What the event means to the timeline as it is now.
   *
   * @throws Problem if it cannot be recorded; a wrong offset and an unregistered ISP (422) come before a conflict (409)
   */
  private async decide(
    key: TimelineKey,
    request: RecordEventRequest,
    requested: RequestedEvent,
  ): Promise<{ outcome: Outcome; timeline: TimelineState }> {
    const rows = await this.database.run<{ role: keyof TimelineState }>(readTimeline(key, requested));
    const timeline = Object.fromEntries(rows.map((row) => [row.role, row])) as unknown as TimelineState;
    const { head, existing } = timeline;
    if (existing?.same_core) return { outcome: existing.same_user ? 'repeated' : 'overwritten', timeline };
    const faults = request.faultsForHandler();
    if (faults.length > 0) throw invalidRequest(faults.map(({ path, detail }) => ({ pointer: jsonPointer(path), detail })));
    if (requested.type !== 'notification' && requested.at.isAfter(head.now)) throw eventInFuture(head.now);
    const conflict = conflictOf(requested, timeline);
    if (!conflict) return { outcome: 'created', timeline };
    await this.refuseUnregistered(key, requested);
    throw conflict;
  }

  private async refuseUnregistered({ tenant, namespaceId }: TimelineKey, { isp }: RequestedEvent): Promise<void> {
    if (isp?.isRequired && !(await this.isps.find({ tenant, namespace_id: namespaceId, partner_id: isp.partnerId })))
      throw ispNotRegistered(isp.partnerId);
  }
}

/** Why the event cannot be added. */
function conflictOf({ type }: RequestedEvent, timeline: TimelineState): Problem | undefined {
  if (type === 'notification') return undefined;
  return timeline.existing ? eventTimeTaken(timeline.existing) : orderFault(type, timeline);
}

/** A validated request as it is compared and stored. */
function toRequestedEvent(request: RecordEventRequest, ispsMode: EventEnv['ISPS'], actor: string | null): RequestedEvent {
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
    actor,
  };
}

const toRefusedEvent = (key: TimelineKey, requested: RequestedEvent, problem: Problem): Parameters<RefusedEvents['add']>[0] => ({
  tenant: key.tenant,
  namespace_id: key.namespaceId,
  entity_id: key.entityId,
  event_type: requested.type,
  event_at: requested.at.utc,
  event_timezone: requested.timezone,
  sys_attributes: requested.sysAttributes,
  sent_by: requested.actor,
  problem: JSON.stringify(problem.toBody(undefined, undefined)),
});

/** Converts objects to canonical JSON; other values are stored as sent. */
const userAttributesOf = (request: RecordEventRequest): UserAttributes =>
  Object.fromEntries(
    USER_ATTRIBUTE_NAMES.map((name) => {
      const sent = request[name];
      return [name, typeof sent === 'object' ? canonicalUsrAttributes(sent) : (sent ?? null)];
    }),
  ) as UserAttributes;
