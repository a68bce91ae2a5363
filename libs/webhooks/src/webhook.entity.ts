import { Column, Entity, PrimaryColumn } from 'typeorm';
import { MAX_EVENTS } from './webhook.js';

/** A reader of a feed; the service keeps its place. Migrations create its columns, which have the API's names. */
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

  /** Batches are also signed with this secret for a day after `rotated_at`. */
  @Column('text', { nullable: true })
  previous_secret!: string | null;

  @Column('timestamptz', { nullable: true })
  rotated_at!: Date | null;

  /** The position after the last delivered change, as a cursor of the feed. */
  @Column('text')
  place!: string;

  /** The last change of the batch that is being sent; if the batch is repeated, it ends with the same change. Null between two batches. */
  @Column('text', { nullable: true })
  batch_end!: string | null;

  /** Maximum number of events in the next batch: fewer while the receiver finds batches too large. */
  @Column('smallint', { default: MAX_EVENTS })
  batch_limit!: number;

  /** When a replica next reads the feed for this webhook; while a replica is working on it, when that replica's lease ends. */
  @Column('timestamptz')
  due_at!: Date;

  @Column('timestamptz')
  since!: Date;

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

  /** Who created it; null if the token did not say. */
  @Column('text', { nullable: true })
  created_by!: string | null;

  @Column('timestamptz')
  modified_at!: Date;

  /** Who last changed it or its secret. */
  @Column('text', { nullable: true })
  modified_by!: string | null;
}

/** The fields that a client can change. */
export type SettableFields = Pick<Webhook, 'url' | 'description' | 'enabled'>;
