// The services' issuer disappears and comes back.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@fibre/testing/processes';
import { startIssuer, startReplica, token } from '../backends.mjs';
import { listEvents } from '../requests.mjs';
import { ask, until } from './watch.mjs';

/** The services wait 5 s for a silent issuer. */
const ANSWERED_WITHIN_MS = 6_000;
const RECOVERED_WITHIN_MS = 20_000;
const STEP_MS = 3_000;

const bearer = (accessToken) => ({ authorization: `Bearer ${accessToken}` });

export async function issuerOutage(test, { settings, databaseUrl, lastsMs }) {
  const port = await freePort();
  const issuer = await startIssuer(test, port);
  const start = () => startReplica(test, 'event-service', { ...settings, DATABASE_URL: databaseUrl, OAUTH_ISSUER: issuer.url });
  const [service, newcomer] = await Promise.all([start(), start()]);
  const list = (replica, accessToken) => ask(replica.port, listEvents(), bearer(accessToken));

  // A new token for each step, because the service remembers accepted tokens.
  const tokens = [];
  for (let step = 0; step <= lastsMs / STEP_MS; step++) tokens.push(await token(issuer));
  assert.equal((await list(service, await token(issuer))).status, 200);
  await issuer.close();

  for (const accessToken of tokens) {
    const known = await list(service, accessToken);
    assert.equal(known.status, 200);
    const unknown = await list(service, await token(issuer, { header: { kid: 'unknown' } }));
    assert.deepEqual([unknown.status, unknown.code], [401, 'token-invalid']);
    assert.ok(unknown.took < ANSWERED_WITHIN_MS);
    // The `newcomer` has never fetched the keys, and its error must not blame the token.
    const early = await list(newcomer, accessToken);
    assert.deepEqual([early.status, early.code, early.retryAfter], [503, 'unavailable', '2']);
    assert.ok(early.took < ANSWERED_WITHIN_MS);
    await sleep(STEP_MS);
  }

  await startIssuer(test, port);
  const recoveredMs = await until(RECOVERED_WITHIN_MS, 'recovery', async () => (await list(newcomer, tokens[0])).status === 200);
  test.diagnostic(
    `${tokens.length} tokens verified without the issuer in ${lastsMs / 1000} s; the new service recovered ${recoveredMs} ms after the issuer returned`,
  );
}
