#!/usr/bin/env bash
# A CSV with references is read with `cast: true`, so that numbers are numbers. One reference is hexadecimal, as serial numbers are.
#
# One would guess: `0x1F` stays a text, or becomes 31. (That `00123` becomes 123 is what a cast does.)
# What happens:    it becomes 0, as do `0xFF` and `0b11`: the test for a number subtracts, and JavaScript reads hexadecimal there, but the
#                  cast is `parseFloat`, which stops at the x. Two references are one.
# Versions: csv-parse 7.0.3, papaparse 5.7.1 and d3-dsv 3.0.2 for comparison, 2026-11-29.
# Who meets it: whoever reads an export, or a list of terminals with hexadecimal serial numbers, and matches rows by reference.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . csv-parse@7.0.3 papaparse@5.7.1 d3-dsv@3.0.2
cat > cast.mjs <<'CODE'
import { parse } from 'csv-parse/sync';
import { autoType, csvParse } from 'd3-dsv';
import Papa from 'papaparse';

const text = 'reference\n0x1F\n0xFF\n0b11\n1F';
const print = (name, rows) => console.log(name, JSON.stringify(rows.map(({ reference }) => reference)));
print('csv-parse', parse(text, { columns: true, cast: true }));
print('papaparse', Papa.parse(text, { header: true, dynamicTyping: true, delimiter: ',' }).data);
print('d3-dsv   ', csvParse(text, autoType));
CODE
node cast.mjs | tee printed
diff - printed <<'EXPECTED'
csv-parse [0,0,0,"1F"]
papaparse ["0x1F","0xFF","0b11","1F"]
d3-dsv    [31,255,3,"1F"]
EXPECTED
