// A service that loses its database during requests and gets it back.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { startRelay, startReplica } from '../backends.mjs';
import { ask, until, watch } from './watch.mjs';

/** The service's limits for a connection (5 s) and a statement (15 s), and some time for the network. */
const ANSWERED_WITHIN_MS = 20_500;
/** Responses after which the test says that all are good. */
const SOME = 50;

const isGood = ({ status }) => status >= 200 && status < 300;
const isBad = (answer) => !isGood(answer);

/**
 * Starts a service under load.
 *
 * @param requests gets a function that sends to the service, and returns what to send repeatedly
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

/** Requests fail as they should, in time, and the service survives. @returns how many */
function assertRefused(test, { service, use, liveness }) {
  const refused = use.answers.filter(isBad);
  const longestMs = Math.max(...refused.map(({ took }) => took));
  test.diagnostic(`${use.answers.length} requests, ${refused.length} answered 503, the slowest after ${longestMs} ms`);
  for (const { what, status, code, retryAfter, took } of refused) {
    assert.deepEqual({ status, retryAfter }, { status: 503, retryAfter: '2' }, what);
    // A write whose response was lost may have happened.
    assert.ok(code === 'unavailable' || (code === 'outcome-unknown' && !what.startsWith('GET')), `${what}: ${code}`);
    assert.ok(took < ANSWERED_WITHIN_MS, `${what} took ${took} ms`);
  }
  assert.deepEqual(liveness.answers.filter(isBad), []);
  assert.equal(service.program.exitCode, null);
  return refused.length;
}

/** @returns milliseconds until the service was not ready */
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
  test.diagnostic(`not ready after ${noticedMs} ms, ready again ${Date.now() - mended} ms after the end`);
  await until(ANSWERED_WITHIN_MS * 2, 'answers afterwards', () => use.between(began + ANSWERED_WITHIN_MS).length > SOME);
  await stop();

  assert.ok(assertRefused(test, used) > 0);
  assert.deepEqual(use.between(began, ended).filter(isGood), []);
  assert.deepEqual(use.between(mended).filter(isBad), []);
  return noticedMs;
}

/** For each text, one connection is lost at the statement that contains it, silently; the others work. */
export async function lostConnections(test, { texts, ...options }) {
  const used = await useService(test, options);
  const { relay, use, stop } = used;
  const began = Date.now();
  relay.fallSilentAt(...texts);
  await until(ANSWERED_WITHIN_MS * 2, 'answers afterwards', () => use.between(began + ANSWERED_WITHIN_MS).length > SOME);
  await stop();

  // A lost connection fails one request, not one after the other.
  assert.equal(assertRefused(test, used), texts.length);
}
