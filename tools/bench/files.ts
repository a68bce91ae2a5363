import { once } from 'node:events';
import { createReadStream, createWriteStream, existsSync, mkdirSync } from 'node:fs';
import { get, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { withClient } from '@fibre/embedded-postgres';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { searchAt } from './suites/coverage-suite.js';
import { onStage, prepareDatabase } from './setup/database.js';
import { median, type Rounds, withLoad } from './setup/load.js';
import { COPY_NODES, copyText, csvText, FILE_COLUMNS, inhabitedPoints, LISTED_TENANT } from './setup/nodes.js';
import { GOAL_HEAD, goalRow, machine, say, table, writeSection } from './setup/report.js';
import { BENCH_DIR, megabytesOf, type Server, startService } from './setup/service.js';

const GOALS = { import: { atLeast: 0.4 }, export: { atLeast: 0.3 }, search: { atMost: 2 }, memoryMegabytes: 100 };
const FORMATS = ['csv', 'ndjson', 'geojson'] as const;

/** `npm run bench -- files`: imports and exports compared with COPY of the same rows, their memory, and their effect on searches. */
export const benchFiles = ({ nodes, rounds }: Rounds & { nodes: number }): Promise<void> =>
  onStage('coverage-service', async ({ issuer, postgres, version, keep }) => {
    const files = await writeFiles(nodes);
    const empty = {
      service: 'coverage-service',
      name: 'files',
      records: 0,
      tables: ['access_node'],
      fill: () => Promise.resolve(),
    } as const;
    const databaseUrl = await prepareDatabase(postgres, empty);
    const token = await issuer.tokenFor(LISTED_TENANT, 'coverage:read coverage:write coverage:search');
    const start = async (): Promise<FilesBench> =>
      new FilesBench(databaseUrl, keep(await startService('coverage-service', databaseUrl, issuer.url)), token, rounds);
    const bench = await start();
    const rows = [
      await bench.imports(files),
      ...(await bench.exports()),
      await bench.searches(inhabitedPoints(nodes), 'an import', () => bench.import(files.csv, 200, 'target=prenodes&dry_run=true')),
      // A new process for each, whose idle memory is not raised yet.
      await (await start()).memory('import of ten times as many rows, the last one wrong', (bench) => bench.import(files.long, 422)),
      await (await start()).memory('export', (bench) => bench.export('geojson')),
    ];
    const head = `${nodes.toLocaleString('en-GB')} rows, medians of ${rounds} rounds in turns. ${machine(version)}`;
    writeSection('files', `${head}\n\n${table(GOAL_HEAD, rows)}`);
  });

type Files = Record<'csv' | 'copy' | 'long', string>;

async function writeFiles(nodes: number): Promise<Files> {
  const folder = join(BENCH_DIR, 'files');
  mkdirSync(folder, { recursive: true });
  const write = async (name: string, chunks: Iterable<string>): Promise<string> => {
    const file = join(folder, `${nodes}-${name}`);
    if (existsSync(file)) return file;
    say(`writing ${name}`);
    await pipeline(Readable.from(chunks), createWriteStream(file));
    return file;
  };
  return {
    csv: await write('nodes.csv', csvText(nodes)),
    copy: await write('nodes.copy', copyText(nodes, LISTED_TENANT)),
    long: await write('long.csv', longText(nodes)),
  };
}

function* longText(nodes: number): Generator<string> {
  yield* csvText(10 * nodes);
  yield 'wrong\n';
}

/** What files cost a service. */
export class FilesBench {
  constructor(
    private readonly databaseUrl: string,
    readonly server: Server,
    readonly token: string,
    readonly rounds: number,
  ) {}

  async imports(files: Files): Promise<string[]> {
    const [copied, imported]: [number[], number[]] = [[], []];
    const emptied = async (list: number[], work: () => Promise<unknown>): Promise<void> => {
      await this.client((client) => client.query('truncate access_node').then(() => client.query('checkpoint')));
      list.push(await timed(work));
    };
    for (let round = 0; round < this.rounds; round++) {
      await emptied(copied, () => this.copy(files.copy));
      await emptied(imported, () => this.import(files.csv));
    }
    return ratioRow('Import of CSV, compared with COPY into the table with its indexes', imported, copied, GOALS.import);
  }

  async exports(): Promise<string[][]> {
    const columns = FILE_COLUMNS.replaceAll(',', ', ');
    const rows = `select ${columns} from access_node where tenant = '${LISTED_TENANT}' and collection = 'nodes' order by node_id`;
    const copyOut = (): Promise<void> =>
      this.client((client) => finished(client.query(copyTo(`copy (${rows}) to stdout (format csv, header)`)).resume()));
    const times = new Map(['copy', ...FORMATS].map((name) => [name, [] as number[]]));
    await this.client((client) => client.query('vacuum (analyze) access_node'));
    for (let round = 0; round <= this.rounds; round++) {
      for (const [name, list] of times) {
        const ms = await timed(() => (name === 'copy' ? copyOut() : this.export(name)));
        // The first round warms up.
        if (round > 0) list.push(ms);
      }
    }
    return FORMATS.map((name) =>
      ratioRow(`Export as ${name}, compared with COPY as csv`, times.get(name)!, times.get('copy')!, GOALS.export),
    );
  }

  /** The p99 of searches with and without some work that is repeated. */
  searches(points: [string, string][], name: string, work: () => Promise<unknown>): Promise<string[]> {
    const { server, token } = this;
    return withLoad(async (run) => {
      const search = async (): Promise<number> => (await run({ server, token, requests: points.map(searchAt), status: 200 }, 4, 10)).p99;
      const times: { without: number[]; during: number[] } = { without: [], during: [] };
      await search();
      for (let round = 0; round < this.rounds; round++) {
        times.without.push(await search());
        let isOver = false;
        const working = (async () => {
          while (!isOver) await work();
        })();
        times.during.push(await search());
        isOver = true;
        await working;
      }
      const [during, without] = [median(times.during), median(times.without)];
      return goalRow(`Search p99 during ${name}`, `${during} ms`, `${without} ms`, during / without, GOALS.search);
    });
  }

  /** The ratio compares the memory above idle with the allowed megabytes. */
  async memory(name: string, work: (bench: this) => Promise<void>): Promise<string[]> {
    const idle = megabytesOf(this.server);
    let most = idle;
    const sampling = setInterval(() => (most = Math.max(most, megabytesOf(this.server))), 100);
    await work(this);
    clearInterval(sampling);
    const over = (most - idle) / GOALS.memoryMegabytes;
    return goalRow(`Memory above idle, of ${GOALS.memoryMegabytes} MB, ${name}`, `${most.toFixed(0)} MB`, `${idle.toFixed(0)} MB`, over, {
      atMost: 1,
    });
  }

  /** Streams a file from disk. */
  async import(path: string, status = 200, query = ''): Promise<void> {
    const headers = { authorization: `Bearer ${this.token}`, 'content-type': 'text/csv' };
    const sending = request(`${this.server.url}/v2/cov/nodes/import?${query}`, { method: 'POST', headers });
    // A rejected file need not be read to its end.
    sending.on('error', () => undefined);
    createReadStream(path).pipe(sending);
    const [response] = (await once(sending, 'response')) as [IncomingMessage];
    const body = (await response.toArray()).join('');
    sending.destroy();
    if (response.statusCode !== status)
      throw new Error(`expected ${status} of the import, got ${response.statusCode}: ${body.slice(0, 1_000)}`);
  }

  async export(format: string): Promise<void> {
    const headers = { authorization: `Bearer ${this.token}` };
    const getting = get(`${this.server.url}/v2/cov/nodes/export?format=${format}`, { headers });
    const [response] = (await once(getting, 'response')) as [IncomingMessage];
    if (response.statusCode !== 200) throw new Error(`the export returned ${response.statusCode}`);
    await finished(response.resume());
  }

  private copy(path: string): Promise<void> {
    return this.client((client) => pipeline(createReadStream(path), client.query(copyFrom(COPY_NODES))));
  }

  private client<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    return withClient(this.databaseUrl, work);
  }
}

/** Duration of some work in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function ratioRow(title: string, ours: readonly number[], theirs: readonly number[], goal: { atLeast: number }): string[] {
  const ratio = median(ours.map((ms, round) => theirs[round]! / ms));
  const seconds = (ms: readonly number[]): string => `${(median(ms) / 1_000).toFixed(2)} s`;
  return goalRow(title, seconds(ours), seconds(theirs), ratio, goal);
}
