import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { withClient } from '@fibre/embedded-postgres';
import type pg from 'pg';
import { WORKSPACE } from '../../workspace.js';
import { coverageSuite } from '../coverage-service/suite.js';
import { prepareDatabase, startDatabaseServer, versionOf } from '../databases.js';
import { eventSuite } from '../event-service/suite.js';
import { startIssuer } from '../issuer.js';
import { machine } from '../machine.js';
import { type Options, readOptions } from '../options.js';
import { table } from '../report.js';
import { BENCH_DIR, build } from '../service.js';
import type { Suite } from '../suite.js';
import { writeSection } from '../document-section.js';

/** Rows that are copied into a table of the same indexes. */
const RESTORED = 500_000;
const [MILLION, GIGABYTE, HOUR_S] = [1_000_000, 1024 ** 3, 3_600];

/** A table, and for how many rows of it is planned. */
interface PlannedTable {
  name: string;
  rows: number;
}

interface Plan {
  suite: Suite;
  /** The largest first. */
  tables: readonly [PlannedTable, ...PlannedTable[]];
}

const PLANS: readonly Plan[] = [
  { suite: coverageSuite, tables: [{ name: 'access_node', rows: 100 * MILLION }] },
  {
    suite: eventSuite,
    tables: [
      { name: 'event', rows: 1_000 * MILLION },
      // Five events for each entity: a subscription, some changes, the end, and the next one.
      { name: 'timeline', rows: 200 * MILLION },
    ],
  },
];

/**
 * `npm run bench -- capacity`: what a row takes and how long PostgreSQL works on many of them, in the databases of the other
 * benchmarks, and the same by the rule of three for networks of a size that nobody has yet.
 */
export async function benchCapacity(): Promise<void> {
  const options = readOptions([]);
  mkdirSync(BENCH_DIR, { recursive: true });
  for (const plan of PLANS) {
    const text = await measurePlan(plan, options);
    process.stdout.write(`${text}\n\n`);
    writeSection(join(WORKSPACE, 'docs/scaling.md'), `capacity of ${plan.suite.service}`, text);
  }
}

async function measurePlan({ suite, tables }: Plan, options: Options): Promise<string> {
  const { service } = suite;
  await build(service);
  const issuer = await startIssuer();
  const server = await startDatabaseServer(service, options.sharedBuffers);
  try {
    const on = (databaseUrl: string) => ({ service, databaseUrl, issuer: issuer.url });
    const { url, records } = await prepareDatabase(server.url, suite.datasets(options).at(-1)!, on);
    const [sizes, times] = await withClient(url, async (client) => {
      await client.query('set max_parallel_workers_per_gather = 0; set max_parallel_maintenance_workers = 0; set statement_timeout = 0');
      return [await sizesOf(client, tables), await timesOf(client, tables[0].name, records)];
    });
    const [{ name, rows }] = tables;
    return [
      table(
        ['', 'Bytes per row', 'Rows', 'Size'],
        [
          ...sizes.map(({ what, bytesPerRow, planned }) => [
            what,
            bytesPerRow.toFixed(0),
            grouped(planned),
            gigabytes(bytesPerRow * planned),
          ]),
          ['all of it', '', '', gigabytes(sizes.reduce((sum, { bytesPerRow, planned }) => sum + bytesPerRow * planned, 0))],
        ],
      ),
      table(
        ['One process of PostgreSQL', 'Rows per second', `For ${grouped(rows)} of \`${name}\``],
        [...times].map(([what, perSecond]) => [what, Math.round(perSecond).toLocaleString('en-GB'), hours(rows / perSecond)]),
      ),
      table(['Machine', ''], machine(await versionOf(server.url), records)),
    ].join('\n\n');
  } finally {
    issuer.close();
    await server.stop();
  }
}

/** A table without its indexes, or an index. */
interface Size {
  what: string;
  bytesPerRow: number;
  planned: number;
}

async function sizesOf(client: pg.Client, tables: readonly PlannedTable[]): Promise<Size[]> {
  const sizes: Size[] = [];
  for (const { name, rows: planned } of tables) {
    const { rows } = await client.query<{ what: string; bytesPerRow: number }>(
      `select what, bytes::float8 / (select count(*) from ${name}) as "bytesPerRow" from (
         select 'table \`${name}\`' as what, pg_table_size('${name}') as bytes, 0 as rank
         union all
         select format('index \`%s\`', indexrelid::regclass), pg_relation_size(indexrelid), 1 from pg_index where indrelid = '${name}'::regclass
       ) parts
       order by rank, bytes desc`,
    );
    sizes.push(...rows.map((row) => ({ ...row, planned })));
  }
  return sizes;
}

/** Rows per second of what is done to whole tables. Nothing of it is kept. */
async function timesOf(client: pg.Client, name: string, records: number): Promise<Map<string, number>> {
  const perSecond = async (count: number, ...statements: string[]): Promise<number> => {
    await client.query('begin');
    const begin = performance.now();
    for (const statement of statements) await client.query(statement);
    const seconds = (performance.now() - begin) / 1_000;
    await client.query('rollback');
    return count / seconds;
  };
  const { rows } = await client.query<{ columns: string }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [name],
  );
  const { columns } = rows[0]!;
  return new Map([
    ['written out (a dump)', await perSecond(records, `copy ${name} to '/dev/null'`)],
    [
      'read in, with its indexes (a restore)',
      await perSecond(
        RESTORED,
        `create table restored (like ${name} including all)`,
        `insert into restored (${columns}) overriding system value select ${columns} from ${name} limit ${RESTORED}`,
      ),
    ],
    ['read through (a constraint validated)', await perSecond(records, `select count(*) filter (where ${name} is null) from ${name}`)],
    ['one more index on a timestamp', await perSecond(records, `create index on ${name} (created_at)`)],
  ]);
}

const grouped = (count: number): string => count.toLocaleString('en-GB');
const gigabytes = (bytes: number): string => `${(bytes / GIGABYTE).toFixed(0)} GB`;
const hours = (seconds: number): string => (seconds < HOUR_S ? `${(seconds / 60).toFixed(0)} min` : `${(seconds / HOUR_S).toFixed(1)} h`);
