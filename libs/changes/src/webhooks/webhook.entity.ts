import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A reader of a feed whose place the service keeps. Columns are made by the migration; names are the API's. */
@Entity('webhook')
export class Webhook {
  @PrimaryColumn('text')
  tenant!: string;

  /** UUIDv7, so that the order of ids is the order of creation. */
  @PrimaryColumn('uuid')
  webhook_id!: string;

  @Column('text')
  url!: string;

  @Column('text')
  feed!: string;

  @Column('jsonb')
  filters!: Record<string, string>;

  @Column('text', { nullable: true })
  description!: string | null;

  @Column('boolean')
  enabled!: boolean;

  @Column('text')
  secret!: string;

  /** Signs besides for a day after `rotated_at`. */
  @Column('text', { nullable: true })
  previous_secret!: string | null;

  @Column('timestamptz', { nullable: true })
  rotated_at!: Date | null;

  /** Behind the last change that was delivered, as the feed names it. */
  @Column('text')
  place!: string;

  /** The last change of the batch that is being sent: a repeat ends there too. Null between two batches. */
  @Column('text', { nullable: true })
  batch_end!: string | null;

  /** When a replica looks at it next; while one does, when its lease ends. */
  @Column('timestamptz')
  due_at!: Date;

  @Column('timestamptz')
  delivered_until!: Date;

  @Column('integer', { nullable: true })
  last_status!: number | null;

  @Column('text', { nullable: true })
  last_error!: string | null;

  @Column('timestamptz', { nullable: true })
  failing_since!: Date | null;

  @Column('timestamptz')
  created_at!: Date;

  @Column('timestamptz')
  modified_at!: Date;
}

/** What a client sets of a webhook that is there. */
export type SettableFields = Pick<Webhook, 'url' | 'description' | 'enabled'>;
