#!/usr/bin/env bash
# The last days of months: `generate_series('2026-01-31', '2026-05-31', interval '1 month')`. And a job's times: every day at 02:30 in Vienna.
#
# One would guess: begin + n months, so 31 January, 28 February, 31 March. And 02:30 on every day but the one that has no 02:30.
# What happens:    each value is computed from the one before. After February all are on the 28th, the last one is not 31 May, and after
#                  the night in March without a 02:30 all jobs are at 03:30. DuckDB does the same with months.
# Versions: PostgreSQL 18.7 (PGlite 0.5.17), duckdb 2.0.1, 2026-11-29.
# Who meets it: whoever makes the due dates of a contract, or the windows of a report, in SQL. `begin + n * interval '1 month'` is right.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . @electric-sql/pglite@0.5.17
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check duckdb==2.0.1
cat > series.mjs <<'CODE'
import { PGlite } from '@electric-sql/pglite';

const database = new PGlite();
await database.exec(`set timezone = 'Europe/Vienna'`);
for (const [name, begin, end, step, form] of [
  ['postgresql', '2026-01-31', '2026-05-31', '1 month', 'MM-DD'],
  ['postgresql', '2026-03-28 02:30', '2026-03-31 02:30', '1 day', 'MM-DD HH24:MI'],
]) {
  const { rows } = await database.query(
    `select string_agg(to_char(value, $4), ', ') as line from generate_series($1::timestamptz, $2::timestamptz, $3::interval) value`,
    [begin, end, step, form],
  );
  console.log(name, rows[0].line);
}
CODE
cat > series.py <<'CODE'
import duckdb

rows = duckdb.sql("select value from generate_series(timestamp '2026-01-31', timestamp '2026-05-31', interval 1 month) _(value)").fetchall()
print('duckdb', ', '.join(f'{day:%m-%d}' for (day,) in rows))
CODE
{ node series.mjs; venv/bin/python series.py; } | tee printed
diff - printed <<'EXPECTED'
postgresql 01-31, 02-28, 03-28, 04-28, 05-28
postgresql 03-28 02:30, 03-29 03:30, 03-30 03:30
duckdb 01-31, 02-28, 03-28, 04-28, 05-28
EXPECTED
