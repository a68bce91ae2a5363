import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { withClient } from '@fibre/embedded-postgres';
import { createDatabase } from '@fibre/testing/databases';
import pg from 'pg';
import { WORKSPACE } from '../../workspace.js';
import { prepareDatabase, versionOf } from '../databases.js';
import { eventsDataset } from '../event-service/load-events.js';
import { startIssuer } from '../issuer.js';
import { machine } from '../machine.js';
import { readOptions } from '../options.js';
import { table } from '../report.js';
import { alternate } from '../rounds.js';
import type { Server } from '../running.js';
import { BENCH_DIR, build, type Service, type ServiceOptions, startService } from '../service.js';
import { writeSection } from '../document-section.js';
import { conflicts } from './conflicts.js';
import { putCost } from './put-cost.js';
import { citusScenarios } from './scenarios.js';

const SERVICE = 'event-service';
const [EVENTS, EVENTS_PER_ENTITY] = [1_000_000, 100];
/** Updates of one entity that come at once are to wait for each other and not to be refused. */
const UNREFUSED = { MAX_REQUESTS_IN_FLIGHT: '100' };
/** What docs/operations.md says a database of a cluster should have. */
const CLUSTER_SETTINGS = { 'citus.max_adaptive_executor_pool_size': 4, 'citus.max_cached_conns_per_worker': 4 };

/**
 * `CITUS_URL=postgres://... npm run bench -- citus`: event-service on a Citus cluster beside event-service on a database of the
 * coordinator's own server that is not distributed.
 */
export async function benchCitus(): Promise<void> {
  const serverUrl = process.env.CITUS_URL;
  if (!serverUrl) throw new Error('CITUS_URL has to be that of a coordinator');
  const { rounds, seconds } = readOptions([]);
  mkdirSync(BENCH_DIR, { recursive: true });
  await build(SERVICE);
  const issuer = await startIssuer();
  const on = (databaseUrl: string): ServiceOptions => ({ service: SERVICE, databaseUrl, issuer: issuer.url, settings: UNREFUSED });
  const dataset = eventsDataset(EVENTS, EVENTS / EVENTS_PER_ENTITY);
  say('preparing');
  const plain = await prepareDatabase(serverUrl, dataset, on);
  const citus = await prepareDatabase(serverUrl, { ...dataset, name: `${dataset.name}_citus` }, on, createDatabase);
  await withClient(citus.url, async (client) => {
    for (const [name, value] of Object.entries(CLUSTER_SETTINGS))
      await client.query(`alter database ${pg.escapeIdentifier(new URL(citus.url).pathname.slice(1))} set ${name} = ${value}`);
  });
  const services: Service[] = [];
  try {
    for (const { url } of [citus, plain]) services.push(await startService(on(url), '/health/ready'));
    for (const { program } of services) await program.ready();
    const [onCitus, onPlain] = services.map(({ url, program }): Server => ({ url, pid: program.pid, records: EVENTS })) as [Server, Server];
    const rows: string[][] = [];
    for (const prepare of citusScenarios) {
      const scenario = await prepare(onCitus, onPlain, issuer.token);
      const { first, second, ratio, range } = await alternate(scenario, rounds, seconds);
      const goal = scenario.goal as { atLeast: number };
      const spread = `${ratio.toFixed(2)} (${range.map((value) => value.toFixed(2)).join(' to ')})`;
      rows.push([
        scenario.title,
        `${first.perSecond.toFixed(0)}/s`,
        `${second.perSecond.toFixed(0)}/s`,
        spread,
        `at least ${goal.atLeast.toFixed(2)}`,
        verdict(ratio >= goal.atLeast),
      ]);
      say(rows.at(-1)!.join(' | '));
    }
    const { title, first, second, ratio, goal } = await conflicts(onCitus, onPlain, issuer.token);
    rows.push([
      title,
      `${first.toFixed(0)} ms`,
      `${second.toFixed(0)} ms`,
      `${ratio.toFixed(2)} times as long`,
      `at most ${goal}`,
      verdict(ratio <= goal),
    ]);
    say(rows.at(-1)!.join(' | '));
    const cost = await putCost(citus.url, onCitus, issuer.token);
    say(cost);
    writeSection(
      join(WORKSPACE, 'docs/scaling.md'),
      'citus',
      [
        `Medians of ${rounds} alternating rounds of ${seconds} s; the ratio is that of neighbouring rounds, with the least and the greatest.`,
        table(['', 'Citus', 'PostgreSQL', 'Citus / PostgreSQL', 'Goal', ''], rows),
        cost,
        table(['Machine', ''], machine(await versionOf(serverUrl), EVENTS)),
      ].join('\n\n'),
    );
  } finally {
    for (const { program } of services) await program.stop();
    issuer.close();
  }
}

const say = (line: string): boolean => process.stdout.write(`${line}\n`);
const verdict = (met: boolean): string => (met ? 'met' : '**missed**');
