import { Timestamp } from '@fibre/dto';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Window } from '../timeline/period-window.js';

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

  /** The edges as the client sent them: a date, or the instant in `from` or `to`. */
  @Column('text')
  sent_from!: string;

  @Column('text')
  sent_to!: string;

  /** The first moments of the window's local days, as `dayStarts` returns them. */
  @Column('bigint', { array: true })
  day_starts!: readonly string[];

  /** The release of the zone database that these days come from. */
  @Column('text')
  timezone_release!: string;

  /** Null if it covers all ISPs. */
  @Column('uuid', { nullable: true })
  partner_id!: string | null;

  @Column('text', { nullable: true })
  reference!: string | null;

  @Column('text', { nullable: true })
  comment!: string | null;

  @Column('timestamptz')
  recorded_until!: Date;

  /** Whether the client sent `recorded_until`. */
  @Column('boolean')
  reviewed!: boolean;

  /** What the person who closes should know, as sentences. */
  @Column('text', { array: true })
  warnings!: readonly string[];

  /** The closing of the same window and ISPs before this one. */
  @Column('uuid', { nullable: true })
  previous_closing_id!: string | null;

  @Column('text', { nullable: true })
  idempotency_key!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  created_at!: Date;

  /** Who created it; null if the token did not say. */
  @Column('text', { nullable: true })
  created_by!: string | null;
}

/** The closings of one tenant in one namespace. */
export type ClosingScope = Pick<Closing, 'tenant' | 'namespace_id'>;

/** What a client sends, as it is stored. */
export type NewClosing = Omit<Closing, 'closing_id' | 'recorded_until' | 'warnings' | 'previous_closing_id' | 'created_at'>;

/** Its window, with the days that it was closed with. */
export const windowOfClosing = ({ from, to, timezone, day_starts }: Closing): Window => ({
  from: Timestamp.parse(from)!,
  to: Timestamp.parse(to)!,
  timezone,
  closedDays: day_starts,
});
