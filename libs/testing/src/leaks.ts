import { createHook } from 'node:async_hooks';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Database, Limits } from '@fibre/database';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { type Gauge, Registry } from 'prom-client';

/** Milliseconds in which a service may finish what its last requests began; it waits 15 s for a database that does not respond. */
const PATIENCE_MS = 20_000;

/** A timer, as Node.js describes it to hooks. */
interface Timer {
  /** Milliseconds. */
  readonly _idleTimeout: number;
  /** It was stopped, or it is over. */
  readonly _destroyed: boolean;
  /** Set by tools/tests/jest-runner-gaps.mjs. */
  readonly isTestLimit?: true;
}

/** Whether the timer that starts now is that of `AbortSignal.timeout`. */
let isOfSignal = false;
/** Such a timer cannot be stopped, and what it refers to does not stay in memory; jose starts one for each fetch of the keys. */
const signalTimeout = AbortSignal.timeout.bind(AbortSignal);
AbortSignal.timeout = (ms) => {
  isOfSignal = true;
  try {
    return signalTimeout(ms);
  } finally {
    isOfSignal = false;
  }
};

/** Milliseconds; shorter timers are those of this test and of the logger, which belongs to the process. */
const LONG_MS = 1_000;
/**
 * The other long timers of this thread, also those that don't keep it alive: what their callbacks refer to stays in memory. A
 * `destroy` hook would remove them at their end, but with one Node.js also watches the end of every promise.
 */
const timers = new Set<Timer>();
createHook({
  init(_id, type, _trigger, resource) {
    if (type !== 'Timeout' || isOfSignal || (resource as Timer)._idleTimeout < LONG_MS) return;
    if (timers.size >= 1_000) for (const timer of timers) if (timer._destroyed) timers.delete(timer);
    timers.add(resource as Timer);
  },
}).enable();
let servicesInThread = 0;

/**
 * Counts the timers before a service starts. The result waits until there are no more of them, and names those that are left. Only for the
 * only service of a thread: others start timers of their own. Other servers of the test, such as receivers, start before the service.
 */
export function watchTimers(patienceMs = PATIENCE_MS): () => Promise<string[]> {
  const isOnly = servicesInThread++ === 0;
  const before = new Set(timers);
  return async () => {
    if (--servicesInThread > 0 || !isOnly) return [];
    for (const end = performance.now() + patienceMs; ; await sleep(10)) {
      const left = [...timers].filter((timer) => !before.has(timer) && !timer._destroyed && !timer.isTestLimit);
      if (left.length === 0) return [];
      if (performance.now() > end) return left.map(({ _idleTimeout }) => `a timer of ${_idleTimeout} ms`);
    }
  };
}

/** Deliveries that a service has not finished although it has been closed. */
export async function deliveriesOf(app: NestExpressApplication): Promise<string[]> {
  const gauge = app.get(Registry).getSingleMetric('webhook_deliveries_in_flight') as Gauge | undefined;
  const count = (await gauge?.get())?.values[0]?.value ?? 0;
  return count === 0 ? [] : [`${count} deliveries to webhooks`];
}

/**
 * What a service has taken and not given back a while after its last request: parts of its limits (slots, bytes of bodies and files, turns),
 * database connections and temporary files. A leak of one piece for each request of some kind would end the service sooner or later.
 *
 * @param folder that of its temporary files; other threads of this process open files elsewhere
 */
export async function leaksOf(app: NestExpressApplication, folder: string, patienceMs = PATIENCE_MS): Promise<string[]> {
  for (const end = performance.now() + patienceMs; ; await sleep(10)) {
    const leaks = [
      ...[...app.get(Limits)].flatMap(({ name, used, waiting }) => [
        ...(used === 0 ? [] : [`${used} ${name}`]),
        ...(waiting === 0 ? [] : [`${waiting} waiting for ${name}`]),
      ]),
      ...[...app.get(Database).pools()].flatMap(([name, { totalCount, idleCount }]) =>
        totalCount === idleCount ? [] : [`${totalCount - idleCount} connections to the ${name}`],
      ),
      ...(filesIn(folder) === 0 ? [] : [`${filesIn(folder)} temporary files`]),
    ];
    if (leaks.length === 0 || performance.now() > end) return leaks;
  }
}

/** The number of files of a folder that are open, even if their names have been removed; only Linux knows them. */
function filesIn(folder: string): number {
  const open = '/proc/self/fd';
  const links = existsSync(open) ? readdirSync(open).map((name) => linkOf(`${open}/${name}`)) : [];
  return links.filter((link) => link.startsWith(`${folder}/`)).length;
}

/** The number with which the folder was read is closed by now. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
