#!/usr/bin/env bash
# Addresses that a customer typed are matched with those of a register by `similarity()` of pg_trgm.
#
# One would guess: 1 means equal but for case and signs, and another house or another door is less than 1.
# What happens:    `Hauptstraße 1 Tür 2` and `Hauptstraße 2 Tür 1` have 1, as have `Gasse 11/1` and `Gasse 1/11`: it compares sets of
#                  trigrams, each word has its own, and neither the order nor the number of the words counts.
#                  `Hauptstraße 12` and `Hauptstraße 1` have 0.81, more than `Hauptstraße 12` and `Hauptstr. 12`.
# Versions: PostgreSQL 18.7 and pg_trgm 1.6 (PGlite 0.5.17), 2026-11-29.
# Who meets it: whoever takes the best match, or all above a limit, for the address of a node or an order.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . @electric-sql/pglite@0.5.17
cat > similarity.mjs <<'CODE'
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';

const database = new PGlite({ extensions: { pg_trgm } });
await database.exec('create extension pg_trgm');
for (const pair of [
  ['Hauptstraße 1 Tür 2', 'Hauptstraße 2 Tür 1'],
  ['Gasse 11/1', 'Gasse 1/11'],
  ['Hauptstraße 12', 'Hauptstraße 1'],
  ['Hauptstraße 12', 'Hauptstr. 12'],
]) {
  const { rows } = await database.query('select round(similarity($1, $2)::numeric, 2) as value', pair);
  console.log(pair.join(' | '), rows[0].value);
}
CODE
node similarity.mjs | tee printed
diff - printed <<'EXPECTED'
Hauptstraße 1 Tür 2 | Hauptstraße 2 Tür 1 1.00
Gasse 11/1 | Gasse 1/11 1.00
Hauptstraße 12 | Hauptstraße 1 0.81
Hauptstraße 12 | Hauptstr. 12 0.69
EXPECTED
