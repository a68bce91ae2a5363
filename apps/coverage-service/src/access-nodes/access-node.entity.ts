import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The two collections an access node can stand in (SPEC section 3.1). */
export const COLLECTIONS = ['nodes', 'prenodes'] as const;
export type Collection = (typeof COLLECTIONS)[number];

/** A coverage access node (CAN, SPEC section 2.1). Columns are made by the migrations; names are the API's. */
@Entity('access_node')
export class AccessNode {
  /** UUIDv7, so that the order of ids is the order of creation. */
  @PrimaryColumn('uuid')
  node_id!: string;

  @Column('text')
  tenant!: string;

  @Column('uuid')
  relation_id!: string;

  @Column('text')
  collection!: Collection;

  @Column('text')
  token!: string;

  /** Decimal degrees, as text with the digits that came. */
  @Column('numeric')
  latitude!: string;

  @Column('numeric')
  longitude!: string;

  @Column('text', { nullable: true })
  technology!: string | null;

  @Column('text')
  status!: string;

  @Column('text', { nullable: true })
  customer_reference!: string | null;

  @Column('text', { nullable: true })
  country!: string | null;

  @Column('text', { nullable: true })
  address_id!: string | null;

  @Column('text', { nullable: true })
  lot_id!: string | null;

  /** Counts the changes; the entity tag. */
  @Column('integer', { default: 1 })
  version!: number;

  @Column('timestamptz', { default: () => 'now()' })
  created_at!: Date;

  @Column('timestamptz', { default: () => 'now()' })
  modified_at!: Date;
}
