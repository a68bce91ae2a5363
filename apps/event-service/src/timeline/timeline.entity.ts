import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Head of the events of one entity. What changes the timeline changes its version, and that alone serialises it. */
@Entity('timeline')
export class Timeline {
  @PrimaryColumn('text')
  tenant!: string;

  /** Nil UUID for the production state. */
  @PrimaryColumn('uuid')
  namespace_id!: string;

  @PrimaryColumn('uuid')
  entity_id!: string;

  @PrimaryColumn('smallint')
  shard_key!: number;

  /** Number of its events: the sequence of the last one. */
  @Column('integer')
  version!: number;

  /** `event_at` of its last deactivation: whatever took place until then is over. */
  @Column('timestamptz', { nullable: true })
  deactivated_at!: Date | null;
}
