import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Collection, OptionalField, SettableFields, Status, Token } from './access-node.js';

/** A coverage access node (CAN, SPEC section 2.1). Migrations create its columns, which have the API's names. */
@Entity('access_node')
export class AccessNode implements SettableFields {
  /** UUIDv7, so that ids sort in order of creation. */
  @PrimaryColumn('uuid')
  node_id!: string;

  @Column('text')
  tenant!: string;

  @Column('uuid')
  relation_id!: string;

  @Column('text')
  collection!: Collection;

  @Column('text')
  token!: Token;

  /** Decimal degrees, as text with the digits that the client sent. */
  @Column('numeric')
  latitude!: string;

  @Column('numeric')
  longitude!: string;

  @Column('text')
  status!: Status;

  @Column('text', { nullable: true })
  technology!: string | null;

  @Column('text', { nullable: true })
  country!: string | null;

  @Column('text', { nullable: true })
  address_id!: string | null;

  @Column('text', { nullable: true })
  address!: string | null;

  @Column('text', { nullable: true })
  lot_id!: string | null;

  /** `YYYY-MM-DD`. */
  @Column('date', { nullable: true })
  available_from!: string | null;

  @Column('integer', { nullable: true })
  units!: number | null;

  @Column('integer', { nullable: true })
  units_connected!: number | null;

  @Column('double precision', { nullable: true })
  download_mbps!: number | null;

  @Column('double precision', { nullable: true })
  upload_mbps!: number | null;

  @Column('text', { nullable: true })
  customer_reference!: string | null;

  /** Incremented by every change; used as the entity tag. */
  @Column('integer', { default: 1 })
  version!: number;

  @Column('timestamptz', { default: () => 'now()' })
  created_at!: Date;

  /** Who created it; null if the token did not say. */
  @Column('text', { nullable: true })
  created_by!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  modified_at!: Date;

  /** Who last changed it. */
  @Column('text', { nullable: true })
  modified_by!: string | null;
}

/** A node that is not stored yet. */
export type NewAccessNode = Omit<AccessNode, OptionalField | 'version' | 'created_at' | 'modified_at'> &
  Partial<Pick<AccessNode, OptionalField>>;
