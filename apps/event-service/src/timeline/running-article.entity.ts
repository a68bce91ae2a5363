import { Entity, PrimaryColumn } from 'typeorm';

/** One article code of the running subscription of an entity, so that entities are found by it. */
@Entity('running_article')
export class RunningArticle {
  @PrimaryColumn('text')
  tenant!: string;

  /** Nil UUID for the production state. */
  @PrimaryColumn('uuid')
  namespace_id!: string;

  @PrimaryColumn('text')
  article_code!: string;

  @PrimaryColumn('uuid')
  entity_id!: string;

  @PrimaryColumn('smallint')
  shard_key!: number;
}
