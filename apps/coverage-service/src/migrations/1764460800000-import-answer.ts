import { sqlMigration } from '@fibre/database';

/** Responses to imports with an `Idempotency-Key`, for clients that send them again. */
export const ImportAnswer1764460800000 = sqlMigration('ImportAnswer1764460800000', {
  up: [
    `create table import_answer (
      tenant          text        not null,
      idempotency_key text        not null,
      digest          text        not null,
      report          json,
      created_at      timestamptz not null,
      constraint import_answer_pkey primary key (tenant, idempotency_key)
    )`,
    `create index import_answer_created_at_idx on import_answer (created_at)`,
  ],
  down: [`drop table import_answer`],
});
