import { Database, isUniqueViolation } from '@fibre/database';
import { Injectable } from '@nestjs/common';
import type { LifecycleType, NamedEvent, TimelineKey } from '../timeline/timeline.js';
import type { RequestedEvent, UserAttributes } from './event.js';
import { type Appended, appendEvent, overwriteUserAttributes, readTimeline, selectEvent } from './event.sql.js';

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
  /** The database's time of the snapshot. */
  readonly now: Date;
  readonly previous?: NamedEvent<LifecycleType>;
  readonly next?: NamedEvent<LifecycleType>;
  readonly existing?: ExistingEvent;
}

interface StateRow extends ExistingEvent {
  readonly role: 'head' | 'previous' | 'next' | 'existing';
  readonly version: number | null;
  readonly now: Date | null;
}

@Injectable()
export class EventsRepository {
  constructor(private readonly database: Database) {}

  async readTimeline(key: TimelineKey, requested: RequestedEvent): Promise<TimelineState> {
    const rows = await this.database.run<StateRow>(readTimeline(key, requested));
    const byRole = new Map(rows.map((row) => [row.role, row]));
    const head = byRole.get('head')!;
    return {
      version: head.version!,
      now: head.now!,
      previous: byRole.get('previous') as NamedEvent<LifecycleType> | undefined,
      next: byRole.get('next') as NamedEvent<LifecycleType> | undefined,
      existing: byRole.get('existing'),
    };
  }

  async append(key: TimelineKey, read: TimelineState, requested: RequestedEvent): Promise<Appended> {
    const isLast = requested.type !== 'notification' && !read.next;
    const statement = appendEvent(key, { version: read.version, isLast }, requested);
    const [appended] = await this.database.run<Appended & object>(statement).catch(staleIfTaken);
    return appended!;
  }

  /** @returns the event; `undefined` if nothing was written because the event now has these user attributes */
  async overwrite(key: TimelineKey, eventId: string, user: UserAttributes): Promise<string | undefined> {
    const [row] = await this.database.run<{ json: string | null }>(overwriteUserAttributes(key, eventId, user));
    return row?.json ?? undefined;
  }

  async find(key: Omit<TimelineKey, 'entityId'>, eventId: string): Promise<string | undefined> {
    const [row] = await this.database.run<{ json: string }>(selectEvent(key, eventId));
    return row?.json;
  }
}

/** A unique violation means that another request has recorded this event. */
function staleIfTaken(error: unknown): Appended[] {
  if (isUniqueViolation(error)) return [{ outcome: 'stale', event_id: '', json: '' }];
  throw error;
}
