import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EventType } from '../timeline/timeline.js';
import type { UserAttribute } from './event.js';

/** An event of a billable entity (SPEC section 2.4). Migrations create its columns, which have the API's names. */
@Entity('event')
export class Event implements Record<UserAttribute, unknown> {
  /** UUIDv7 that contains the shard key, see EventIds. */
  @PrimaryColumn('uuid')
  event_id!: string;

  /** Derived from the entity, see shardKeyOf. */
  @PrimaryColumn('smallint')
  shard_key!: number;

  @PrimaryColumn('text')
  tenant!: string;

  /** Nil UUID for production. */
  @PrimaryColumn('uuid')
  namespace_id!: string;

  @Column('uuid')
  entity_id!: string;

  /** Order of creation within the timeline: the version that the event produced. */
  @Column('integer')
  sequence!: number;

  @Column('text')
  event_type!: EventType;

  @Column('timestamptz')
  event_at!: Date;

  @Column('text')
  event_timezone!: string;

  /** Calendar date of the event in its time zone. */
  @Column('date')
  event_date!: string;

  @Column('json', { nullable: true })
  sys_attributes!: object | null;

  /** Hash of the canonical sys_attributes. */
  @Column('uuid')
  sys_hash!: string;

  @Column('text', { nullable: true })
  usr_reference!: string | null;

  @Column('json', { nullable: true })
  usr_attributes!: object | null;

  @Column('text', { nullable: true })
  comment!: string | null;

  /** Whether the user attributes were ever replaced. */
  @Column('boolean', { default: false })
  overwritten!: boolean;

  @Column('timestamptz')
  created_at!: Date;

  @Column('timestamptz')
  modified_at!: Date;
}
