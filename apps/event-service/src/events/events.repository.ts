import { Database, DEADLOCK_DETECTED, SERIALIZATION_FAILURE, sqlState, UNIQUE_VIOLATION } from '@fibre/database';
import { Injectable } from '@nestjs/common';
import type { LifecycleType } from '../timeline/order-rules.js';
import type { EventType } from './event.entity.js';
import {
  appendEvent,
  type Creation,
  overwriteUserAttributes,
  readForLifecycle,
  readForNotification,
  type RequestedEvent,
  selectEvent,
  type TimelineKey,
} from './event-write.sql.js';

/** An event as a refusal names it. */
export interface NamedEvent<T extends EventType = EventType> {
  readonly event_id: string;
  readonly event_type: T;
  readonly event_at: string;
}

/** The stored event that is the requested one, or stands at its instant. */
export interface Twin extends NamedEvent {
  readonly same_core: boolean;
  readonly same_user: boolean;
  /** The whole event. */
  readonly json: string;
}

/** What is there, all of one moment. */
export interface TimelineView {
  /** 0 when the entity has no event. */
  readonly version: number;
  readonly previous?: NamedEvent<LifecycleType>;
  readonly next?: NamedEvent<LifecycleType>;
  readonly twin?: Twin;
}

/** SQLSTATEs of a write that met another one. */
const MET_ANOTHER = new Set([UNIQUE_VIOLATION, SERIALIZATION_FAILURE, DEADLOCK_DETECTED]);

interface ViewRow extends Twin {
  readonly role: 'head' | 'previous' | 'next' | 'twin';
  readonly version: number | null;
}

@Injectable()
export class EventsRepository {
  constructor(private readonly database: Database) {}

  async view(key: TimelineKey, requested: RequestedEvent): Promise<TimelineView> {
    const read = requested.type === 'notification' ? readForNotification : readForLifecycle;
    const rows = await this.database.run<ViewRow>(read(key, requested));
    const byRole = new Map(rows.map((row) => [row.role, row]));
    return {
      version: byRole.get('head')?.version ?? 0,
      previous: byRole.get('previous') as NamedEvent<LifecycleType> | undefined,
      next: byRole.get('next') as NamedEvent<LifecycleType> | undefined,
      twin: byRole.get('twin'),
    };
  }

  /** @returns the event; `undefined` when the timeline is not at `version` any more, and nothing was written */
  async append(key: TimelineKey, version: number, requested: RequestedEvent, creation: Creation): Promise<string | undefined> {
    const [row] = await this.database.run<{ json: string }>(appendEvent(key, version, requested, creation)).catch(asNoRow);
    return row?.json;
  }

  /** @returns the event; `undefined` when these are its user attributes already, and nothing was written */
  async overwrite(key: TimelineKey, eventId: string, requested: RequestedEvent, now: Date): Promise<string | undefined> {
    const [row] = await this.database.run<{ json: string }>(overwriteUserAttributes(key, eventId, requested, now)).catch(asNoRow);
    return row?.json;
  }

  async find(key: Omit<TimelineKey, 'entityId'>, eventId: string): Promise<string | undefined> {
    const [row] = await this.database.run<{ json: string }>(selectEvent(key, eventId));
    return row?.json;
  }
}

function asNoRow(error: unknown): [] {
  if (MET_ANOTHER.has(sqlState(error) ?? '')) return [];
  throw error;
}
