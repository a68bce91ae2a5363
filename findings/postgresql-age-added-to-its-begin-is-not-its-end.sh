#!/usr/bin/env bash
# A contract ran from one day to another. Its term is stored as `age("end", "begin")`, months and days.
#
# One would guess: "begin" + age("end", "begin") is "end" again.
# What happens:    for one pair of days in five it is not: 2 December to 1 March is "2 mons 30 days", and 2 December + 2 mons 30 days is 4
#                  March. `age` borrows the days of the first month (December has 31), the addition goes through the last (February).
# Versions: PostgreSQL 18.7 (PGlite 0.5.17), 2026-11-29.
# Who meets it: whoever stores how long a line was active, or moves a term to another begin.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . @electric-sql/pglite@0.5.17
cat > age.mjs <<'CODE'
import { PGlite } from '@electric-sql/pglite';

const database = new PGlite();
const print = async (sql) => console.log((await database.query(sql)).rows[0].line);
await print(`select 'term ' || age('2026-03-01', '2025-12-02') as line`);
await print(`select 'begin + term ' || (timestamp '2025-12-02' + age('2026-03-01', '2025-12-02'))::date as line`);
await print(`
  select count(*) || ' pairs of days of 2026, wrong ' || count(*) filter (where "begin" + age("end", "begin") <> "end") as line
  from generate_series(timestamp '2026-01-01', '2026-12-31', '1 day') "begin"
  join generate_series(timestamp '2026-01-01', '2026-12-31', '1 day') "end" on "end" > "begin"`);
CODE
node age.mjs | tee printed
diff - printed <<'EXPECTED'
term 2 mons 30 days
begin + term 2026-03-04
66430 pairs of days of 2026, wrong 14277
EXPECTED
