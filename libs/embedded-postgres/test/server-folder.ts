import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  removeEmbeddedPostgres,
  startEmbeddedPostgres,
  withClient,
} from '@fibre/embedded-postgres';
import type pg from 'pg';
import { findServer } from '../src/server/server-process.js';

type Started = Pick<EmbeddedPostgres, 'url' | 'port' | 'dataDir'>;

const here = import.meta.dirname;

/** A folder for one server, and the processes that start it there. */
export class ServerFolder {
  readonly root = path.join(os.tmpdir(), `fibre-embedded-${randomUUID()}`);
  private readonly children: ChildProcess[] = [];

  start(options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
    return startEmbeddedPostgres({ root: this.root, database: 'fibre', ...options });
  }

  async startInAnotherProcess(): Promise<Started & { child: ChildProcess }> {
    const loader = ['--conditions=source', '--import', '../../tools/typescript.mjs'];
    const child = spawn(process.execPath, [...loader, path.join(here, 'start-server.ts'), this.root], {
      cwd: path.dirname(here),
      env: { PATH: process.env.PATH },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.children.push(child);
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    return { ...(JSON.parse(line) as Started), child };
  }

  async remove(): Promise<void> {
    for (const child of this.children) child.kill('SIGKILL');
    await removeEmbeddedPostgres(this.root);
  }
}

export const query = <Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> =>
  withClient(url, async (client) => (await client.query<Row>(text)).rows);

export const serverPid = (dataDir: string): number => findServer(dataDir)!.pid;
