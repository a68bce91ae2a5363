import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EventType } from '../timeline/timeline.js';
import type { UserAttribute } from './event.js';

/** An event of a billable entity (SPEC section 2.4). Columns are made by the migrations; names are the API's. */
@Entity('event')
export class Event implements Record<UserAttribute, unknown> {
  /** UUIDv7 with the shard key in it, see EventIds. */
  @PrimaryColumn('uuid')
  event_id!: string;

  /** Of the entity, see shardKeyOf. */
  @PrimaryColumn('smallint')
  shard_key!: number;

  @PrimaryColumn('text')
  tenant!: string;

  /** Nil UUID for the production state. */
  @PrimaryColumn('uuid')
  namespace_id!: string;

  @Column('uuid')
  entity_id!: string;

  /** Order of creation within the timeline: its version when the event was added. */
  @Column('integer')
  sequence!: number;

  @Column('text')
  event_type!: EventType;

  @Column('timestamptz')
  event_at!: Date;

  @Column('text')
  event_timezone!: string;

  /** Calendar date of the event where it took place. */
  @Column('date')
  event_date!: string;

  @Column('json', { nullable: true })
  sys_attributes!: object | null;

  /** Of the canonical sys_attributes: equal exactly when they are. */
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
