#!/usr/bin/env bash
# A Node.js program makes 1,000 version 7 ids in a loop with the package `uuid`, and gives each the time of its event.
#
# One would guess: ids of one millisecond are in the order in which they were made, as those of `v7()` without options are.
# What happens:    the counter that orders them is used only without an argument. With `{ msecs }`, and with `{}` too, half of the ids are
#                  smaller than the one before. `uuidv7` from another package keeps the order of ids made now.
# Versions: uuid 14.0.3, uuidv7 1.2.1, 2026-11-29.
# Who meets it: whoever makes event ids for a replay or an import and relies on their order for the order of events of one millisecond.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . uuid@14.0.3 uuidv7@1.2.1
cat > order.mjs <<'CODE'
import { v7 } from 'uuid';
import { uuidv7 } from 'uuidv7';

const makers = {
  'uuidv7()': () => uuidv7(),
  'v7()': () => v7(),
  'v7({})': () => v7({}),
  'v7({ msecs })': () => v7({ msecs: 1_795_953_600_000 }),
};
for (const [name, make] of Object.entries(makers)) {
  const ids = Array.from({ length: 1_000 }, make);
  const falls = ids.filter((id, index) => index > 0 && id < ids[index - 1]).length;
  console.log(name, falls === 0 ? 'in order' : falls > 300 ? 'in no order' : 'partly in order');
}
CODE
node order.mjs | tee printed
diff - printed <<'EXPECTED'
uuidv7() in order
v7() in order
v7({}) in no order
v7({ msecs }) in no order
EXPECTED
