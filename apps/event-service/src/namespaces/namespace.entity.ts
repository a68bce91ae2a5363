import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One lifetime of a namespace: a name that is used again after its clean-up gets a new id. */
@Entity('namespace')
export class Namespace {
  @PrimaryColumn('uuid')
  namespace_id!: string;

  /** Derived from tenant and name; see shardKeyOf. */
  @PrimaryColumn('smallint')
  shard_key!: number;

  @Column('text')
  tenant!: string;

  /** Null once retired: requests no longer find the namespace, and its events are about to be deleted. */
  @Column('text', { nullable: true })
  name!: string | null;

  @Column('timestamptz')
  created_at!: Date;

  /** Up to TOUCH_INTERVAL_MS older than the last request. */
  @Column('timestamptz')
  last_used_at!: Date;
}
