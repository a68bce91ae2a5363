// Checks the responses while the database, its network or the issuer is down, and afterwards.
import assert from 'node:assert/strict';
import { test as root } from 'node:test';
import { startDatabases, startIssuer, token } from '../backends.mjs';
import { lostConnections, outage } from './database-outage.mjs';
import { issuerOutage } from './issuer-outage.mjs';
import { listEvents, listNodes, patchNode, postNode, putEvent, readNode, search } from '../requests.mjs';

const SETTINGS = { NODE_ENV: 'production', MIGRATE_ON_START: 'true', OAUTH_AUDIENCE: 'open-access-fibre', LOG_LEVEL: 'error' };
/** Set it to 600 to test a longer outage, which would take too long in a regular run. */
const ISSUER_OUTAGE_SECONDS = Number(process.env.ISSUER_OUTAGE_SECONDS ?? 15);
const NOTICED_WITHIN_MS = 5_000;

const eventRequests = async () => [putEvent, listEvents];
const nodeRequests = async (send) => {
  const { node_id: id } = (await send(postNode())).body;
  return [postNode, listNodes, search, () => readNode(id), () => patchNode(id)];
};

// The tests run in parallel, because they mostly wait.
root('outages', { concurrency: true }, async (test) => {
  const [issuer, databases] = await Promise.all([startIssuer(test), startDatabases(test, ['event-service', 'coverage-service'])]);
  const headers = { authorization: `Bearer ${await token(issuer)}` };
  const settings = { ...SETTINGS, OAUTH_ISSUER: issuer.url };
  const of = (name) => ({ name, settings, headers, databaseUrl: databases.get(name) });

  await Promise.all([
    test.test('the database is down for half a minute', async (subtest) => {
      const how = { requests: eventRequests, lastsMs: 30_000, begin: (relay) => relay.cut() };
      const noticedMs = await outage(subtest, { ...of('event-service'), ...how });
      assert.ok(noticedMs < NOTICED_WITHIN_MS, `not ready after ${noticedMs} ms`);
    }),

    test.test('the database stops responding', (subtest) =>
      outage(subtest, { ...of('coverage-service'), requests: nodeRequests, lastsMs: 12_000, begin: (relay) => relay.fallSilent() }),
    ),

    test.test('individual connections to the database are lost', (subtest) =>
      lostConnections(subtest, {
        ...of('coverage-service'),
        requests: nodeRequests,
        texts: ['access-nodes-insert', 'access-nodes-read', 'access-nodes-page', 'access-nodes-update'],
      }),
    ),

    test.test('the issuer is down', (subtest) =>
      issuerOutage(subtest, { settings, databaseUrl: databases.get('event-service'), lastsMs: ISSUER_OUTAGE_SECONDS * 1000 }),
    ),
  ]);
});
