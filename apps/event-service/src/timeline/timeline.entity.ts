import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EntityState, LifecycleType } from './timeline.js';

/** Head of the events of one entity. Every new event changes its version, which serializes writes to the entity. */
@Entity('timeline')
export class Timeline {
  @PrimaryColumn('text')
  tenant!: string;

  /** Nil UUID for production. */
  @PrimaryColumn('uuid')
  namespace_id!: string;

  @PrimaryColumn('uuid')
  entity_id!: string;

  @PrimaryColumn('smallint')
  shard_key!: number;

  /** Number of events: the sequence of the last one. */
  @Column('integer')
  version!: number;

  /** `event_at` of the last deactivation: subscription periods up to then have ended. */
  @Column('timestamptz', { nullable: true })
  deactivated_at!: Date | null;

  /** Version for which the members below are right; they are valid if it equals `version`. */
  @Column('integer', { nullable: true })
  lifecycle_version!: number | null;

  /** The last lifecycle event by `event_at`, if there is one. */
  @Column('uuid', { nullable: true })
  lifecycle_id!: string | null;

  @Column('text', { nullable: true })
  lifecycle_type!: LifecycleType | null;

  @Column('timestamptz', { nullable: true })
  lifecycle_at!: Date | null;

  /** State of the entity, from its events. */
  @Column('text', { nullable: true })
  state!: EntityState | null;

  /** `event_at` of the event that began the state. */
  @Column('timestamptz', { nullable: true })
  state_since!: Date | null;

  /** A value of the running subscription, like the columns below. */
  @Column('uuid', { nullable: true })
  partner_id!: string | null;

  @Column('text', { array: true, nullable: true })
  article_codes!: string[] | null;

  @Column('text', { nullable: true })
  option82!: string | null;

  @Column('text', { nullable: true })
  partner_reference!: string | null;

  /** When the first event was recorded. This and the members below are null until an older row is filled in. */
  @Column('timestamptz', { nullable: true })
  created_at!: Date | null;

  /** When an event was last recorded or overwritten. */
  @Column('timestamptz', { nullable: true })
  modified_at!: Date | null;

  /** The event that was recorded last. */
  @Column('uuid', { nullable: true })
  last_event_id!: string | null;
}
