import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One life of a namespace: a name that is used again after its clean-up is a new one, with an id of its own. */
@Entity('namespace')
export class Namespace {
  @PrimaryColumn('uuid')
  namespace_id!: string;

  /** Of tenant and name, see shardKeyOf. */
  @PrimaryColumn('smallint')
  shard_key!: number;

  @Column('text')
  tenant!: string;

  /** Null once it is retired: nobody finds it any more, and its events wait to be deleted. */
  @Column('text', { nullable: true })
  name!: string | null;

  @Column('timestamptz')
  created_at!: Date;

  /** Up to TOUCH_INTERVAL_MS behind the last request. */
  @Column('timestamptz')
  last_used_at!: Date;
}
