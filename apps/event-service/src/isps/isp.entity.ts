import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An internet service provider that a tenant has registered. Migrations create its columns, which are named as in the API. */
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

  /** The tenant of the ISP's own tokens, which read what it is charged. Unique within tenant and namespace. */
  @Column('text', { nullable: true })
  isp_tenant!: string | null;

  /** Number of changes; also the entity tag. */
  @Column('integer', { default: 1 })
  version!: number;

  @Column('timestamptz', { default: () => 'now()' })
  created_at!: Date;

  /** Who registered it; null if the token did not say. */
  @Column('text', { nullable: true })
  created_by!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  modified_at!: Date;

  /** Who last changed it. */
  @Column('text', { nullable: true })
  modified_by!: string | null;
}

/** The registry of one tenant in one namespace. */
export type IspScope = Pick<Isp, 'tenant' | 'namespace_id'>;
/** Key of an ISP. */
export type IspKey = IspScope & Pick<Isp, 'partner_id'>;
/** The fields that a client can set. */
export type IspFields = Pick<Isp, 'name' | 'email' | 'comment' | 'isp_tenant'>;
