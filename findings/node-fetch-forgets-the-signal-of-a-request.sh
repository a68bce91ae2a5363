#!/usr/bin/env bash
# A client downloads a long export with `fetch(new Request(url, { signal }))`, as generated clients do, and aborts it.
#
# One would guess: the download ends, as with `fetch(url, { signal })`.
# What happens:    it only ends if no garbage has been collected since. The body does not keep its request, and the signal of a request is
#                  passed on only while the request lives. Ctrl-C, or a limit of time, then has no effect on a download that is under way.
# Versions: Node.js 20.20.2 and 26.10.0, 2026-11-29.
# Who meets it: whoever follows a feed or downloads an export with openapi-fetch, hey-api or code of their own that builds requests.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . node@26.10.0
cat > abort.mjs <<'CODE'
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const server = createServer((_request, response) => response.writeHead(200).write('first row\n')).listen(0, '127.0.0.1');
await new Promise((listening) => server.once('listening', listening));
const url = `http://127.0.0.1:${server.address().port}`;

async function abortWithin(start, isCollected) {
  const abort = new AbortController();
  const reader = (await start(abort.signal)).body.getReader();
  await reader.read();
  await sleep(50);
  if (isCollected) gc();
  abort.abort();
  const ended = reader.read().then(() => 'goes on', () => 'ends');
  return Promise.race([ended, sleep(2_000).then(() => 'goes on')]);
}
const starts = {
  'fetch(url, { signal })': (signal) => fetch(url, { signal }),
  'fetch(new Request(url, { signal }))': (signal) => fetch(new Request(url, { signal })),
};
for (const [name, start] of Object.entries(starts))
  for (const isCollected of [false, true]) console.log(`${name}, ${isCollected ? 'collected' : 'not collected'}: ${await abortWithin(start, isCollected)}`);
process.exit();
CODE
node_modules/.bin/node --expose-gc abort.mjs | tee printed
diff - printed <<'EXPECTED'
fetch(url, { signal }), not collected: ends
fetch(url, { signal }), collected: ends
fetch(new Request(url, { signal })), not collected: ends
fetch(new Request(url, { signal })), collected: goes on
EXPECTED
