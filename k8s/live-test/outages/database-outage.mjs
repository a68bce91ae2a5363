// Cuts a service off from its database during requests, and reconnects it.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { startRelay, startReplica } from '../backends.mjs';
import { ask, until, watch } from './watch.mjs';

/** The service's limits for a connection (5 s) and a statement (15 s), plus a margin for the network. */
const ANSWERED_WITHIN_MS = 20_500;
/** Number of responses that the test waits for before it concludes that requests succeed. */
const SOME = 50;

const isGood = ({ status }) => status >= 200 && status < 300;
const isBad = (answer) => !isGood(answer);

/**
 * Starts a service under load.
 *
 * @param requests called with a function that sends requests to the service; returns the requests to repeat
 * @returns the service, the relay to its database, the responses to requests and probes, and `stop`
 */
async function useService(test, { name, settings, databaseUrl, headers, requests }) {
  const throughRelay = new URL(databaseUrl);
  const databasePort = Number(throughRelay.port);
  const relay = await startRelay(test, () => databasePort);
  throughRelay.port = String(relay.port);
  const service = await startReplica(test, name, { ...settings, DATABASE_URL: throughRelay.href });
  const send = (request) => ask(service.port, request, headers);
  const kinds = await requests(send);
  const use = watch(kinds.map((kind) => () => send(kind())));
  const liveness = watch([() => send({ path: '/health/live' })]);
  const stop = () => Promise.all([use.stop(), liveness.stop()]);
  test.after(stop);
  await until(ANSWERED_WITHIN_MS, 'answers', () => use.answers.length > SOME);
  assert.deepEqual(use.answers.filter(isBad), []);
  return { service, relay, use, liveness, isReady: async () => isGood(await send({ path: '/health/ready' })), stop };
}

/** Checks that requests fail as they should and in time, and that the service survives. @returns how many requests failed */
function assertRefused(test, { service, use, liveness }) {
  const refused = use.answers.filter(isBad);
  const longestMs = Math.max(...refused.map(({ took }) => took));
  test.diagnostic(`${use.answers.length} requests, ${refused.length} answered with 503, the slowest after ${longestMs} ms`);
  for (const { what, status, code, retryAfter, took } of refused) {
    assert.deepEqual({ status, retryAfter }, { status: 503, retryAfter: '2' }, what);
    // If the response to a write was lost, the write may have happened.
    assert.ok(code === 'unavailable' || (code === 'outcome-unknown' && !what.startsWith('GET')), `${what}: ${code}`);
    assert.ok(took < ANSWERED_WITHIN_MS, `${what} took ${took} ms`);
  }
  assert.deepEqual(liveness.answers.filter(isBad), []);
  assert.equal(service.program.hasEnded, false);
  return refused.length;
}

/** @returns how many milliseconds the service took to become unready */
export async function outage(test, { begin, lastsMs, ...options }) {
  const used = await useService(test, options);
  const { relay, use, isReady, stop } = used;
  const began = Date.now();
  begin(relay);
  const noticing = until(ANSWERED_WITHIN_MS, 'not ready', async () => !(await isReady()));
  await sleep(lastsMs);
  const ended = Date.now();
  await relay.mend();
  const mended = Date.now();
  const noticedMs = await noticing;
  await until(ANSWERED_WITHIN_MS, 'ready again', isReady);
  test.diagnostic(`not ready after ${noticedMs} ms, ready again ${Date.now() - mended} ms after the outage ended`);
  await until(ANSWERED_WITHIN_MS * 2, 'answers afterwards', () => use.between(began + ANSWERED_WITHIN_MS).length > SOME);
  await stop();

  assert.ok(assertRefused(test, used) > 0);
  assert.deepEqual(use.between(began, ended).filter(isGood), []);
  assert.deepEqual(use.between(mended).filter(isBad), []);
  return noticedMs;
}

/** For each text, silently drops one connection at a statement that contains it; the other connections keep working. */
export async function lostConnections(test, { texts, ...options }) {
  const used = await useService(test, options);
  const { relay, use, stop } = used;
  const began = Date.now();
  relay.fallSilentAt(...texts);
  await until(ANSWERED_WITHIN_MS * 2, 'answers afterwards', () => use.between(began + ANSWERED_WITHIN_MS).length > SOME);
  await stop();

  // Each lost connection fails exactly one request, not one request after another.
  assert.equal(assertRefused(test, used), texts.length);
}
