import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An internet service provider that a tenant has registered. Migrations create its columns, which have the API's names. */
@Entity('isp')
export class Isp {
  @PrimaryColumn('text')
  tenant!: string;

  /** Nil UUID for production. */
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

  /** Number of changes; the entity tag. */
  @Column('integer')
  version!: number;

  @Column('timestamptz')
  created_at!: Date;

  @Column('timestamptz')
  modified_at!: Date;
}
