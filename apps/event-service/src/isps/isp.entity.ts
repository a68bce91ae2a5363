import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An internet service provider whom a tenant knows. Columns are made by the migrations; names are the API's. */
@Entity('isp')
export class Isp {
  @PrimaryColumn('text')
  tenant!: string;

  /** Nil UUID for the production state. */
  @PrimaryColumn('uuid')
  namespace_id!: string;

  @PrimaryColumn('uuid')
  partner_id!: string;

  /** Unique within tenant and namespace. */
  @Column('text')
  name!: string;

  @Column('text', { nullable: true })
  email!: string | null;

  @Column('text', { nullable: true })
  comment!: string | null;

  /** Counts the changes; the entity tag. */
  @Column('integer')
  version!: number;

  @Column('timestamptz')
  created_at!: Date;

  @Column('timestamptz')
  modified_at!: Date;
}
