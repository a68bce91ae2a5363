import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An ANO-PIP relation (SPEC section 1). Migrations create its columns, which have the API's names. */
@Entity('relation')
export class Relation {
  @PrimaryColumn('text')
  tenant!: string;

  /** UUIDv7, so that ids sort in order of creation. */
  @PrimaryColumn('uuid')
  relation_id!: string;

  @Column('text')
  name!: string;

  @Column('text')
  pip!: string;

  @Column('text', { nullable: true })
  comment!: string | null;

  /** The access network operator (ANO), under the name that ISPs know. */
  @Column('text', { nullable: true })
  operator!: string | null;

  @Column('text', { nullable: true })
  contact_name!: string | null;

  @Column('text', { nullable: true })
  contact_email!: string | null;

  @Column('text', { nullable: true })
  contact_phone!: string | null;

  @Column('text', { nullable: true })
  order_url!: string | null;

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

/** What ISPs see of a relation, if it is set; `pip` always is. */
export const CONTACT_FIELDS = ['operator', 'contact_name', 'contact_email', 'contact_phone', 'order_url'] as const;
export type ContactField = (typeof CONTACT_FIELDS)[number];
/** The fields that a client can set. */
export type SettableFields = Pick<Relation, 'name' | 'pip' | 'comment' | ContactField>;
/** A relation that is not stored yet. */
export type NewRelation = Pick<Relation, 'tenant' | 'relation_id' | 'created_by' | 'modified_by'> & {
  [Field in keyof SettableFields]?: Relation[Field];
};
