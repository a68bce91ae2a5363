import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Webhooks of either service. On Citus, a local table of the coordinator.
 *
 * There is no index on `due_at`, because the rows are few, and without it an update needs no new index entry.
 */
export class Webhook1764892800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table webhook (
        tenant          text           not null,
        webhook_id      uuid           not null,
        url             text           not null,
        feed            text           not null,
        filters         jsonb          not null,
        description     text,
        enabled         boolean        not null,
        secret          text           not null,
        previous_secret text,
        rotated_at      timestamptz(3),
        place           text           not null,
        batch_end       text,
        due_at          timestamptz    not null,
        delivered_until timestamptz(3) not null,
        last_status     integer,
        last_error      text,
        failing_since   timestamptz(3),
        created_at      timestamptz(3) not null,
        modified_at     timestamptz(3) not null,
        constraint webhook_pkey primary key (tenant, webhook_id)
      ) with (fillfactor = 50)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table webhook`);
  }
}

export class WebhookSince1765238400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table webhook add column since timestamptz(3)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table webhook drop column since');
  }
}
