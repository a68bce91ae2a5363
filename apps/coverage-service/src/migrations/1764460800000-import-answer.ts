import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Responses to imports with an `Idempotency-Key`, for clients that send them again. */
export class ImportAnswer1764460800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table import_answer (
        tenant          text        not null,
        idempotency_key text        not null,
        digest          text        not null,
        report          json,
        created_at      timestamptz not null,
        constraint import_answer_pkey primary key (tenant, idempotency_key)
      )`);
    await runner.query(`create index import_answer_created_at_idx on import_answer (created_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table import_answer`);
  }
}
