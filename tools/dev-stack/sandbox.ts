import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { FROM_SOURCES } from '@fibre/testing/processes';
import type { EmbeddedPostgres } from '@fibre/embedded-postgres';
import { Temporal } from 'temporal-polyfill';
import { DATA_DIR, WORKSPACE } from '../workspace.js';

/** The longest sleep, because a computer that is suspended or whose clock is set would miss the time. */
const LONGEST_SLEEP_MS = 60_000;

/** The databases of services that run as in production, and that are emptied every night and filled again by the tour. */
export class Sandbox {
  private server: EmbeddedPostgres | undefined;

  /** @param names the services, each with a database of its own */
  constructor(private readonly names: readonly string[]) {}

  /** Starts the database server, with empty databases. */
  async open(): Promise<void> {
    // The signal that means "reset now" must not end this process when it comes during a reset.
    process.on('SIGUSR2', () => undefined);
    const { startEmbeddedPostgres } = await import('@fibre/embedded-postgres');
    this.server = await startEmbeddedPostgres({ root: join(DATA_DIR, 'sandbox'), database: 'postgres' });
    await this.empty();
  }

  /** Makes new databases. The services must not be running. */
  async empty(): Promise<void> {
    const { createDatabaseStatement, withClient } = await import('@fibre/embedded-postgres');
    await withClient(this.server!.url, async (client) => {
      for (const name of this.names) {
        await client.query(`drop database if exists "${name}" with (force)`);
        await client.query(createDatabaseStatement(name));
      }
    });
  }

  /** What differs from a service that `npm start` runs for development. */
  settingsOf(name: string): NodeJS.ProcessEnv {
    return {
      NODE_ENV: 'production',
      DATABASE_URL: this.server!.url.replace(/[^/]*$/, name),
      MIGRATE_ON_START: 'true',
      NAMESPACES_ENABLED: 'true',
      PORTAL_ENABLED: 'true',
    };
  }

  /** Runs the tour, without its output. */
  async fill(urls: { COVERAGE_URL: string; EVENTS_URL: string; ISSUER_URL: string }, signal: AbortSignal): Promise<void> {
    const args = [...FROM_SOURCES, join(WORKSPACE, 'tools/tour/main.ts')];
    const options = { cwd: WORKSPACE, env: { ...process.env, ...urls }, signal };
    await promisify(execFile)(process.execPath, args, options).catch((error: Error & { stderr?: string }) => {
      throw new Error(`The tour failed: ${error.stderr?.trim() || error.message}`, { cause: error });
    });
  }

  async close(): Promise<void> {
    await this.server?.stop();
  }
}

/** The time of day in `SANDBOX_RESET_AT`, in the time zone of this computer. */
export function resetTime(text = process.env.SANDBOX_RESET_AT || '03:00'): Temporal.PlainTime {
  try {
    return Temporal.PlainTime.from(text);
  } catch {
    throw new Error(`SANDBOX_RESET_AT is ${text}; it must be a time of day, such as 03:00`);
  }
}

/** The next time that a clock shows this time of day; on a day without it, as much later as the clocks were set forward. */
export function nextReset(at: Temporal.PlainTime, now: Temporal.ZonedDateTime): Temporal.ZonedDateTime {
  const today = now.withPlainTime(at);
  return Temporal.ZonedDateTime.compare(today, now) > 0 ? today : now.add({ days: 1 }).withPlainTime(at);
}

/** Resolves at this time of day, or when the process gets SIGUSR2. */
export async function resetDue(at: Temporal.PlainTime): Promise<void> {
  const due = nextReset(at, Temporal.Now.zonedDateTimeISO()).epochMilliseconds;
  const cancel = new AbortController();
  const now = once(process, 'SIGUSR2', { signal: cancel.signal });
  const night = async (): Promise<void> => {
    for (let left = due - Date.now(); left > 0; left = due - Date.now())
      await sleep(Math.min(left, LONGEST_SLEEP_MS), undefined, { signal: cancel.signal });
  };
  const either = [now, night()];
  await Promise.race(either);
  cancel.abort();
  await Promise.allSettled(either);
}
