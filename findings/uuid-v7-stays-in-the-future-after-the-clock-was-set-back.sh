#!/usr/bin/env bash
# The clock of a machine is an hour ahead when a Node.js program starts, and NTP sets it right. The program makes version 7 ids all the time.
#
# One would guess: the time in an id is that of its creation, and is right as soon as the clock is.
# What happens:    `v7()` of the package `uuid` never goes back behind the greatest time that its process has seen: for an hour all ids carry
#                  the one millisecond before the correction. It's in memory, so ids of other processes, and of this one after a restart, come
#                  before. `v7({})` reads the clock each time; `uuidv7` of another package begins anew if it was set back by over 10 seconds.
# Versions: uuid 14.0.3, uuidv7 1.2.1, 2026-11-30. RFC 9562, section 6.2: the next id should be greater, or there should be an error.
# Who meets it: whoever reads the time of an event out of its id, or cuts a table by it; and a test whose fake clock was ahead, and later ones.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . uuid@14.0.3 uuidv7@1.2.1
cat > clock.mjs <<'CODE'
import { setTimeout as sleep } from 'node:timers/promises';
import { v7 } from 'uuid';
import { uuidv7 } from 'uuidv7';

const makers = { 'v7()': () => v7(), 'v7({})': () => v7({}), 'uuidv7()': () => uuidv7() };
const millisecond = (id) => parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
const minutesAhead = (id) => Math.round((millisecond(id) - Date.now()) / 60_000);

const { now } = Date;
Date.now = () => now() + 3_600_000;
for (const make of Object.values(makers)) make();
Date.now = now;

for (const [name, make] of Object.entries(makers)) {
  const ids = [];
  for (let n = 0; n < 10; n++) {
    ids.push(make());
    await sleep(5);
  }
  console.log(`${name}: ${minutesAhead(ids[9])} minutes ahead, different times in 10 ids: ${new Set(ids.map(millisecond)).size}`);
}
CODE
node clock.mjs | tee printed
diff - printed <<'EXPECTED'
v7(): 60 minutes ahead, different times in 10 ids: 1
v7({}): 0 minutes ahead, different times in 10 ids: 10
uuidv7(): 0 minutes ahead, different times in 10 ids: 10
EXPECTED
