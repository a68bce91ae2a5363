import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What was invoiced: a window, and the instant up to which recorded events counted. Never changed. Migrations create its columns. */
@Entity('closing')
export class Closing {
  @PrimaryColumn('text')
  tenant!: string;

  /** Nil UUID for production. */
  @PrimaryColumn('uuid')
  namespace_id!: string;

  /** UUIDv7, so that the order of ids is the order of creation. */
  @PrimaryColumn('uuid')
  closing_id!: string;

  /** The edges of the window as responses show them: a `Date` would lose microseconds. */
  @Column('text')
  from!: string;

  @Column('text')
  to!: string;

  @Column('text')
  timezone!: string;

  /** Null if it covers all ISPs. */
  @Column('uuid', { nullable: true })
  partner_id!: string | null;

  @Column('text', { nullable: true })
  reference!: string | null;

  @Column('text', { nullable: true })
  comment!: string | null;

  @Column('timestamptz')
  recorded_until!: Date;

  /** The closing of the same window and ISPs before this one. */
  @Column('uuid', { nullable: true })
  previous_closing_id!: string | null;

  @Column('text', { nullable: true })
  idempotency_key!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  created_at!: Date;
}

/** The closings of one tenant in one namespace. */
export type ClosingScope = Pick<Closing, 'tenant' | 'namespace_id'>;

/** What a client sends, as it is stored. */
export type NewClosing = Pick<
  Closing,
  'tenant' | 'namespace_id' | 'from' | 'to' | 'timezone' | 'partner_id' | 'reference' | 'comment' | 'idempotency_key'
>;
