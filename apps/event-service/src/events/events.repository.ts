import { Database, isUniqueViolation } from '@fibre/database';
import { Injectable } from '@nestjs/common';
import type { LifecycleType, NamedEvent, TimelineKey } from '../timeline/timeline.js';
import type { Creation, RequestedEvent } from './event.js';
import { appendEvent, noteOverwriting, overwriteUserAttributes, readTimeline, selectEvent, selectNewestId } from './event.sql.js';

/** The stored event that equals the new one or took place at the same instant. */
export interface ExistingEvent extends NamedEvent {
  readonly same_core: boolean;
  readonly same_user: boolean;
  /** The whole event. */
  readonly json: string;
}

/** A snapshot of the timeline around a new event. */
export interface TimelineState {
  /** 0 if the entity has no event. */
  readonly version: number;
  readonly previous?: NamedEvent<LifecycleType>;
  readonly next?: NamedEvent<LifecycleType>;
  readonly existing?: ExistingEvent;
}

interface StateRow extends ExistingEvent {
  readonly role: 'head' | 'previous' | 'next' | 'existing';
  readonly version: number | null;
}

@Injectable()
export class EventsRepository {
  constructor(private readonly database: Database) {}

  async readTimeline(key: TimelineKey, requested: RequestedEvent): Promise<TimelineState> {
    const rows = await this.database.run<StateRow>(readTimeline(key, requested));
    const byRole = new Map(rows.map((row) => [row.role, row]));
    return {
      version: byRole.get('head')?.version ?? 0,
      previous: byRole.get('previous') as NamedEvent<LifecycleType> | undefined,
      next: byRole.get('next') as NamedEvent<LifecycleType> | undefined,
      existing: byRole.get('existing'),
    };
  }

  /**
   * @returns the event; `undefined` if nothing was written because the timeline has changed since it was read, the statement arrived late,
   * or the ISP is not registered
   */
  async append(key: TimelineKey, read: TimelineState, requested: RequestedEvent, creation: Creation): Promise<string | undefined> {
    const isLast = requested.type !== 'notification' && !read.next;
    const statement = appendEvent(key, { version: read.version, isLast }, requested, creation);
    const [row] = await this.database.run<{ json: string | null }>(statement).catch(noRowIfTaken);
    return row?.json ?? undefined;
  }

  /**
   * @returns the event; `undefined` if nothing was written because the event already has these user attributes or the statement arrived
   * late
   */
  async overwrite(key: TimelineKey, eventId: string, { user }: RequestedEvent, now: Date): Promise<string | undefined> {
    return this.database.transaction(async (run) => {
      const [row] = await run<{ json: string; modified_at: Date }>(overwriteUserAttributes(key, eventId, user, now));
      if (row) await run(noteOverwriting(key, row.modified_at));
      return row?.json;
    });
  }

  /** @returns the last event id of the listing */
  async newestId(key: Pick<TimelineKey, 'tenant' | 'namespaceId'>): Promise<string | undefined> {
    const [row] = await this.database.run<{ event_id: string }>(selectNewestId(key));
    return row?.event_id;
  }

  async find(key: Omit<TimelineKey, 'entityId'>, eventId: string): Promise<string | undefined> {
    const [row] = await this.database.run<{ json: string }>(selectEvent(key, eventId));
    return row?.json;
  }
}

/** A unique violation means that another request has recorded this event, or the first event of the timeline. */
function noRowIfTaken(error: unknown): [] {
  if (isUniqueViolation(error)) return [];
  throw error;
}
