import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { withClient } from '@fibre/embedded-postgres';
import { type ServiceProcess, startServiceProcess, startTestIssuer, TEST_AUDIENCE, type TestIssuer } from '@fibre/testing/processes';
import { eventsDataset } from '../bench/setup/events.js';
import { say } from '../bench/setup/report.js';
import { send } from '../history/stack.js';
import { entitiesOf } from '../history/entity-traffic.js';
import type { Kind } from '../history/kind.js';
import { RELATIONS } from '../history/relation-traffic.js';
import { record, Tally } from '../history/traffic.js';
import { Machine } from './machine.js';
import { plantedFaults } from './planted.js';
import { SteadyWriter } from './writer.js';

/**
 * `npm run restore`: tries deploy/one-machine/restore-drill with the history check's traffic and a steady writer, plants faults that it must
 * find, and loses the machine. Exits with 1 if anything is not as docs/restore.md says. `--events <number>` loads so many first,
 * `--archive-timeout <seconds>` and `--losses <number>` say how often it loses the machine.
 */

const SCOPES = 'events:read events:write coverage:read coverage:write';
const CLOSINGS = '/api/v2/sys/closings/';
const CLOSED = 12;
/** Entities of the loaded events. */
const EVENTS_OF_ENTITY = 10;
const PAUSE_MS = 20;

type AnyKind = Kind<unknown, unknown>;

const faults: string[] = [];
function check(isRight: boolean, what: string): void {
  say(`${isRight ? 'yes' : 'NO '}  ${what}`);
  if (!isRight) faults.push(what);
}

/** The services on the machine, and their traffic. */
class Traffic {
  private constructor(
    readonly events: ServiceProcess,
    readonly coverage: ServiceProcess,
    readonly token: string,
    readonly writer: SteadyWriter,
  ) {}

  static async start(machine: Machine, issuer: TestIssuer): Promise<Traffic> {
    const start = (service: 'event' | 'coverage') => {
      const settings = {
        DATABASE_URL: machine.url(service),
        MIGRATE_ON_START: 'false',
        OAUTH_ISSUER: issuer.url,
        OAUTH_AUDIENCE: TEST_AUDIENCE,
      };
      return startServiceProcess(`${service}-service`, { ...settings, LOG_LEVEL: 'fatal' });
    };
    const [events, coverage] = await Promise.all([start('event'), start('coverage')]);
    const token = await issuer.token({ scope: SCOPES });
    return new Traffic(events, coverage, token, new SteadyWriter(events.url, token, PAUSE_MS));
  }

  /** The history check's traffic, for so long. */
  async history(milliseconds: number): Promise<void> {
    const end = performance.now() + milliseconds;
    const lanes = [
      { kind: entitiesOf(['11111111-1111-4111-8111-111111111111']), url: this.events.url },
      { kind: RELATIONS, url: this.coverage.url },
    ] as unknown as { kind: AnyKind; url: string }[];
    await Promise.all(
      lanes.map(async ({ kind, url }) => {
        while (performance.now() < end) await record(kind, [{ url }], this.token, new Tally());
      }),
    );
  }

  async close(window: object): Promise<void> {
    const { status, body } = await send('POST', this.events.url + CLOSINGS, this.token, window);
    if (status !== 201) throw new Error(`a closing failed: ${status} ${JSON.stringify(body)}`);
  }

  /** All closings with their totals and periods, as texts. */
  async closings(): Promise<Map<string, string>> {
    const { body } = await send('GET', `${this.events.url}${CLOSINGS}?_page_size=500`, this.token);
    const texts = new Map<string, string>();
    for (const closing of body as { closing_id: string }[]) {
      const paths = ['totals/', ''].map((path) => `${this.events.url}/api/v2/sys/periods/${path}?closing=${closing.closing_id}`);
      const answers = await Promise.all(paths.map((path) => send('GET', path, this.token)));
      texts.set(closing.closing_id, JSON.stringify([closing, ...answers.map(({ status, body }) => [status, body])]));
    }
    return texts;
  }

  async stop(): Promise<void> {
    await this.writer.stop();
    await Promise.all([this.events.kill(), this.coverage.kill()]);
  }
}

/** Kills the database's machine under traffic, restores it from the repository alone, and compares what it holds with what was acknowledged. */
async function loseMachine(machine: Machine, issuer: TestIssuer, archiveTimeout: number): Promise<void> {
  const before = await Traffic.start(machine, issuer);
  // Any moment between two switches.
  await Promise.all([before.history(2_000), sleep((1 + Math.random()) * archiveTimeout * 1_000)]);
  const closings = await before.closings();
  machine.loseServer();
  const lostAt = Date.now();
  await before.stop();
  const began = performance.now();
  await machine.restore();
  const seconds = (performance.now() - began) / 1_000;

  const stored = new Set(
    (await machine.query<{ event_id: string }>('event', 'select event_id from event')).map(({ event_id }) => event_id),
  );
  const { acknowledged } = before.writer;
  const missing = acknowledged.findIndex(({ event_id }) => !stored.has(event_id));
  const kept = missing < 0 ? acknowledged : acknowledged.slice(0, missing);
  const loss = missing < 0 ? 0 : (lostAt - acknowledged[missing]!.at) / 1_000;
  say(
    `\nthe machine was lost: ${acknowledged.length} events were acknowledged, ${kept.length} are there; restored in ${seconds.toFixed(1)} s`,
  );
  check(loss <= archiveTimeout + 2, `loss ${loss.toFixed(1)} s with an archive_timeout of ${archiveTimeout} s`);
  check(
    acknowledged.slice(kept.length).every(({ event_id }) => !stored.has(event_id)),
    'every event that was acknowledged before the first lost one is there, and none after it',
  );
  const after = await Traffic.start(machine, issuer);
  const restored = await after.closings();
  check(
    closings.size >= CLOSED && [...closings].every(([id, text]) => restored.get(id) === text),
    `${closings.size} closings with their totals and periods are the same byte for byte`,
  );
  await after.stop();
  // A new timeline needs a backup of its own, as docs/restore.md says.
  await machine.backUp('full');
}

async function load(machine: Machine, events: number): Promise<void> {
  await withClient(machine.url('event', 'postgres'), async (client) => {
    await client.query('begin');
    // Building an index of all rows is faster than adding them one by one.
    const { rows } = await client.query<{ name: string; definition: string }>(`
      select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
      where i.indrelid in ('event'::regclass, 'timeline'::regclass) and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`);
    for (const { name } of rows) await client.query(`drop index ${name}`);
    await eventsDataset(events, events / EVENTS_OF_ENTITY).fill(client);
    for (const { definition } of rows) await client.query(definition);
    await client.query('commit');
    await client.query('vacuum analyze');
    const { rows: sizes } = await client.query<{ size: string }>(
      `select count(*) || ' events, ' || pg_size_pretty(pg_database_size('event')) as size from event`,
    );
    say(`loaded ${sizes[0]!.size}`);
  });
}

async function main(
  machine: Machine,
  issuer: TestIssuer,
  options: { events: number; archiveTimeout: number; losses: number },
): Promise<void> {
  if (options.events > 0) await load(machine, options.events);
  const traffic = await Traffic.start(machine, issuer);
  await traffic.history(3_000);
  for (let n = 0; n < CLOSED; n++) await traffic.close({ from: '2026-01-01', to: '2026-02-01', reference: `INV-${n}` });
  const { code, said } = await machine.backUp('full');
  check(code === 0, `a full backup${said && `: ${said}`}`);
  // The drill, while others write.
  const running = traffic.history(20_000);
  await sleep(2_000);
  const drill = await machine.drill();
  say(drill.said);
  check(drill.code === 0 && machine.metrics !== undefined, `the drill passes under traffic, and writes its metrics`);
  await running;
  await traffic.stop();
  // Each takes a drill, so they are planted in a small database.
  if (options.events === 0) for (const [what, isNamed, found] of await plantedFaults(machine)) check(isNamed, `${what}: ${found}`);
  for (let n = 0; n < options.losses; n++) await loseMachine(machine, issuer, options.archiveTimeout);
}

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '0' },
    'archive-timeout': { type: 'string', default: '5' },
    losses: { type: 'string', default: '2' },
  },
});
const archiveTimeout = Number(values['archive-timeout']);
const machine = await Machine.start(`${archiveTimeout}s`);
if (!machine) say('!!! SKIPPED: restoring is not tried, because it needs root, postgresql and pgbackrest (Debian packages) !!!');
else {
  const issuer = await startTestIssuer();
  try {
    await main(machine, issuer, { events: Number(values.events), archiveTimeout, losses: Number(values.losses) });
  } finally {
    await issuer.close();
    await machine.close();
  }
  say(faults.length === 0 ? '\nEverything is as docs/restore.md says.' : `\n${faults.length} faults:\n${faults.join('\n')}`);
}
process.exit(faults.length > 0 ? 1 : 0);
