import { createReadStream, createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { withClient } from '@fibre/embedded-postgres';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { WORKSPACE } from '../../workspace.js';
import { LISTED_TENANT } from '../coverage-service/towns.js';
import { prepareDatabase, startDatabaseServer, versionOf } from '../databases.js';
import { startIssuer } from '../issuer.js';
import { machine } from '../machine.js';
import { readOptions } from '../options.js';
import { residentMegabytes } from '../process-stats.js';
import { table } from '../report.js';
import { searchBeside } from '../search-beside.js';
import { BENCH_DIR, build, startService } from '../service.js';
import { line, row, timed } from '../times.js';
import { writeSection } from '../document-section.js';
import { COPY_COLUMNS, copyText, csvHeader, csvText } from './rows.js';
import { receive, send } from './transfer.js';

const SERVICE = 'coverage-service';
const GIGABYTE = 1024 ** 3;
const SAMPLE_MS = 100;
const EXPORTED = 'relation_id, token, latitude, longitude, status, technology, country, address_id, lot_id, customer_reference';
const FORMATS = ['csv', 'ndjson', 'geojson'];

/**
 * `npm run bench -- files`: imports and exports beside COPY of the same rows, the memory that they take, and what a search notices of them.
 * `BENCH_NODES` is the number of rows, ten times as many are sent to see the memory.
 */
export async function benchFiles(): Promise<void> {
  const { nodes, rounds, seconds, sharedBuffers } = readOptions([]);
  const folder = join(BENCH_DIR, 'files');
  mkdirSync(folder, { recursive: true });
  say('writing files');
  const files = await writeFiles(folder, nodes);
  await build(SERVICE);
  const issuer = await startIssuer();
  const server = await startDatabaseServer(SERVICE, sharedBuffers);
  const on = (databaseUrl: string) => ({ service: SERVICE, databaseUrl, issuer: issuer.url, settings: { REQUEST_DEADLINE_SECONDS: '60' } });
  const empty = { name: 'files', version: 1, records: 0, tables: ['access_node'] as [string], fill: () => Promise.resolve() };
  const { url: databaseUrl } = await prepareDatabase(server.url, empty, on);
  try {
    const token = await issuer.token(LISTED_TENANT, 'coverage:read coverage:write');
    const searching = await issuer.token('isp.one', 'coverage:search');
    const withService = async <T>(work: (bench: FilesBench) => Promise<T>): Promise<T> => {
      const { url, program } = await startService(on(databaseUrl), '/health/ready');
      try {
        await program.ready();
        return await work(new FilesBench(databaseUrl, url, program.pid, token, rounds));
      } finally {
        await program.stop();
      }
    };
    const rows = [
      ...(await withService(async (bench) => [
        ...(await bench.imports(files)),
        ...(await bench.exports()),
        await bench.searches(searching, nodes, Math.max(seconds, 10), files),
      ])),
      // Each of a process of its own, of which nothing was asked before: what former work left would count as idle, or as its own.
      await withService((bench) =>
        bench.memory('import of ten times as many rows, the last one wrong', () => bench.import(files.long, '', 422)),
      ),
      await withService((bench) => bench.memory('gzip bomb', () => bench.import(files.bomb, '', 413))),
      await withService((bench) => bench.memory('export', () => bench.export('geojson'))),
    ];
    const text = [
      `Medians of ${rounds} rounds, ${nodes.toLocaleString('en-GB')} rows in turns with COPY of the same rows.`,
      table(['', 'Service', 'Beside it', 'Ratio', 'Goal', ''], rows),
      table(['Machine', ''], machine(await versionOf(server.url), nodes)),
    ].join('\n\n');
    writeSection(join(WORKSPACE, 'docs/benchmarks.md'), 'files', text);
  } finally {
    issuer.close();
    await server.stop();
  }
}

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

interface Files {
  readonly plain: string;
  readonly references: string;
  readonly copyPlain: string;
  readonly copyReferences: string;
  /** Ten times as many rows, of which the last is wrong. */
  readonly long: string;
  readonly bomb: string;
}

async function writeFiles(folder: string, nodes: number): Promise<Files> {
  const at = (name: string): string => join(folder, `${nodes}-${name}`);
  const write = (file: string, chunks: Iterable<string>, ...through: NodeJS.ReadWriteStream[]): Promise<void> =>
    pipeline([Readable.from(chunks), ...through, createWriteStream(file)]);
  const files: Files = {
    ...{ plain: at('plain.csv'), references: at('references.csv'), copyPlain: at('plain.copy'), copyReferences: at('references.copy') },
    ...{ long: at('long.csv'), bomb: at('bomb.csv.gz') },
  };
  await write(files.plain, csvText(nodes, false));
  await write(files.references, csvText(nodes, true));
  await write(files.copyPlain, copyText(nodes, false));
  await write(files.copyReferences, copyText(nodes, true));
  await write(files.long, longText(nodes));
  await write(files.bomb, bombText(), createGzip());
  return files;
}

function* longText(nodes: number): Generator<string> {
  yield* csvText(10 * nodes, false);
  yield 'wrong\n';
}

function* bombText(): Generator<string> {
  yield csvHeader;
  const [, chunk = ''] = [...csvText(10_000, false)];
  for (let bytes = 0; bytes < 1.1 * GIGABYTE; bytes += chunk.length) yield chunk;
}

class FilesBench {
  constructor(
    private readonly databaseUrl: string,
    private readonly url: string,
    private readonly pid: number,
    private readonly token: string,
    private readonly rounds: number,
  ) {}

  async imports({ plain, references, copyPlain, copyReferences }: Files): Promise<string[][]> {
    const [copied, imported, again, withReferences, copiedReferences]: number[][] = [[], [], [], [], []];
    for (let round = 0; round < this.rounds; round++) {
      await this.clear();
      copied!.push(await timed(() => this.copy(copyPlain)));
      await this.clear();
      imported!.push(await timed(() => this.import(plain)));
      await this.clear();
      copiedReferences!.push(await timed(() => this.copy(copyReferences)));
      await this.clear();
      withReferences!.push(await timed(() => this.import(references)));
      await this.vacuum();
      again!.push(await timed(() => this.import(references)));
    }
    return [
      row('Import of CSV, beside COPY into the table with its indexes', imported!, copied!, 0.5),
      row('The same with references', withReferences!, copiedReferences!),
      row('The same file again, all unchanged, beside the first time', again!, withReferences!, 0.8),
    ];
  }

  async exports(): Promise<string[][]> {
    const times = new Map(['copy', ...FORMATS].map((name) => [name, [] as number[]]));
    await this.vacuum();
    for (let round = 0; round <= this.rounds; round++) {
      for (const [name, list] of times) {
        const ms = await timed(() => (name === 'copy' ? this.copyOut() : this.export(name)));
        // The first round warms up.
        if (round > 0) list.push(ms);
      }
    }
    return FORMATS.map((name) => row(`Export as ${name}, beside COPY TO STDOUT as csv`, times.get(name)!, times.get('copy')!, 0.6));
  }

  searches(token: string, nodes: number, seconds: number, { plain }: Files): Promise<string[]> {
    // Again and again, into pre-production; what it brings there goes before the next.
    const work = () => this.import(plain, 'target=prenodes&dry_run=true');
    return searchBeside('an import', work, { url: this.url, token, nodes, rounds: this.rounds, seconds });
  }

  async memory(name: string, work: () => Promise<void>): Promise<string[]> {
    const idle = residentMegabytes(this.pid);
    let peak = 0;
    const sampling = setInterval(() => (peak = Math.max(peak, residentMegabytes(this.pid))), SAMPLE_MS);
    await work();
    clearInterval(sampling);
    const [most, before, over] = [peak, idle, peak - idle].map((megabytes) => `${megabytes.toFixed(0)} MB`) as [string, string, string];
    return line(`Memory, ${name}`, most, `${before} idle`, `${over} over it`, 'at most 100', peak - idle <= 100);
  }

  export(format: string): Promise<void> {
    return receive(`${this.url}/v2/cov/nodes/export?format=${format}`, this.token);
  }

  import(file: string, query = '', status = 200): Promise<void> {
    return send(`${this.url}/v2/cov/nodes/import?${query}`, this.token, file, status);
  }

  private copy(file: string): Promise<void> {
    return this.client((client) =>
      pipeline(createReadStream(file), client.query(copyFrom(`copy access_node (${COPY_COLUMNS}) from stdin`))),
    );
  }

  private copyOut(): Promise<void> {
    const rows = `select ${EXPORTED} from access_node n where n.tenant = '${LISTED_TENANT}' and n.collection = 'nodes' order by n.node_id`;
    return this.client(async (client) => {
      await finished(client.query(copyTo(`copy (${rows}) to stdout (format csv, header)`)).resume());
    });
  }

  private async clear(): Promise<void> {
    await this.client(async (client) => {
      await client.query('truncate access_node');
      await client.query('checkpoint');
    });
  }

  private async vacuum(): Promise<void> {
    await this.client(async (client) => {
      await client.query('vacuum (analyze) access_node');
      await client.query('checkpoint');
    });
  }

  private client<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    return withClient(this.databaseUrl, work);
  }
}
