import { execFile } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { launchServer, openCluster, stopServer } from '@fibre/embedded-postgres';
import { BENCH_DIR } from '../service.js';

const [PROGRAMS, EXTENSIONS] = ['/usr/lib/postgresql/15/bin', '/usr/share/postgresql/15/extension'];
const COMMAND = 'apt-get install postgresql-15-postgis-3';
/** Debian's, as the embedded PostgreSQL has no extensions. */
export const POSTGIS = { [join(PROGRAMS, 'postgres')]: COMMAND, [join(EXTENSIONS, 'postgis.control')]: COMMAND };

export interface PostgisServer {
  url: string;
  stop: () => Promise<void>;
}

/** A server with PostGIS whose data lies beside that of the embedded one, owned by the same user. */
export async function startPostgisServer(service: string, settings: Record<string, string>): Promise<PostgisServer> {
  const { account, dataDir: beside, password } = await openCluster(join(BENCH_DIR, service));
  const binaries = { initdb: join(PROGRAMS, 'initdb'), postgres: join(PROGRAMS, 'postgres'), major: '15' };
  const dataDir = `${beside}-postgis`;
  if (!existsSync(join(dataDir, 'postgresql.conf'))) {
    rmSync(dataDir, { recursive: true, force: true });
    mkdirSync(dataDir, { mode: 0o700 });
    if (account.uid !== undefined) chownSync(dataDir, account.uid, account.gid!);
    await promisify(execFile)(binaries.initdb, ['-D', dataDir, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8'], {
      ...account,
      cwd: '/',
    });
  }
  const stop = (): Promise<void> => stopServer(dataDir);
  const port = await launchServer({ cluster: { account, dataDir, password, binaries }, logFile: join(BENCH_DIR, 'postgis.log'), settings });
  return { url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`, stop };
}
