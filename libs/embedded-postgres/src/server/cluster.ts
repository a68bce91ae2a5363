import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Account, canEnter, isSuperuser, serverAccount } from './account.js';
import { type Binaries, findBinaries } from './binaries.js';
import { serverEnvironment } from '../embedded-postgres.env.js';
import { stopServer } from './server-process.js';

/** Where the data is stored if the server's account cannot reach the given root folder. */
const SYSTEM_DATA = '/var/lib/open-access-fibre';
const MARK = 'initdb-complete';
const PASSWORD_BYTES = 24;

/** A data directory that is ready to use. */
export interface Cluster {
  dataDir: string;
  account: Account;
  binaries: Binaries;
  /** Password of the user `postgres`. */
  password: string;
}

/**
 * Opens the cluster of `root`, or creates it. `root` holds the password and a mark that initdb has finished; without the mark the data is
 * created again. Removing `root` therefore always results in an empty database, even if the data had to be stored elsewhere.
 *
 * @throws Error if the data belongs to another major version of PostgreSQL, or initdb fails
 */
export async function openCluster(root: string): Promise<Cluster> {
  const mark = path.join(root, MARK);
  const secret = path.join(root, 'password');
  const recorded = recordedDataDir(root);
  const exists = recorded !== undefined && fs.existsSync(recorded);
  const account = serverAccount(exists ? recorded : undefined);
  const dataDir = exists ? recorded : chooseDataDir(root, account);
  const binaries = findBinaries(account);
  if (!exists) {
    fs.rmSync(mark, { force: true });
    await stopServer(dataDir);
    const password = randomBytes(PASSWORD_BYTES).toString('base64url');
    await initialise(dataDir, account, binaries, password);
    fs.rmSync(secret, { force: true });
    fs.writeFileSync(secret, password, { mode: 0o600, flush: true });
    fs.writeFileSync(mark, path.dirname(dataDir) === root ? path.basename(dataDir) : dataDir, { flush: true });
  }
  const major = fs.readFileSync(path.join(dataDir, 'PG_VERSION'), 'utf8').trim();
  if (major !== binaries.major) {
    throw new Error(
      `${dataDir} was made by PostgreSQL ${major}, but this is PostgreSQL ${binaries.major}: ` +
        `dump it with version ${major} and load it again, or remove ${root} to start with an empty database`,
    );
  }
  return { dataDir, account, binaries, password: fs.readFileSync(secret, 'utf8') };
}

/** Registers existing data in `pgdata` as the cluster of `root`. */
export function recordCluster(root: string, password: string): void {
  fs.writeFileSync(path.join(root, 'password'), password, { mode: 0o600 });
  fs.writeFileSync(path.join(root, MARK), 'pgdata');
}

/** The data directory that a successful first start recorded in `root`. A power cut may leave the record empty. */
export function recordedDataDir(root: string): string | undefined {
  const mark = path.join(root, MARK);
  const recorded = fs.existsSync(mark) ? fs.readFileSync(mark, 'utf8') : '';
  return recorded === '' ? undefined : path.resolve(root, recorded);
}

function chooseDataDir(root: string, account: Account): string {
  if (!isSuperuser || canEnter(account, root)) return path.join(root, 'pgdata');
  fs.mkdirSync(SYSTEM_DATA, { recursive: true });
  fs.chmodSync(SYSTEM_DATA, 0o755); // with any umask; the data directory inside keeps 0700
  const hash = createHash('sha256').update(root).digest('hex').slice(0, 12);
  return path.join(SYSTEM_DATA, `${path.basename(root)}-${hash}`);
}

async function initialise(dataDir: string, account: Account, binaries: Binaries, password: string): Promise<void> {
  const passwordFile = `${dataDir}.password`;
  for (const file of [dataDir, passwordFile]) fs.rmSync(file, { recursive: true, force: true });
  fs.mkdirSync(path.dirname(dataDir), { recursive: true });
  fs.mkdirSync(dataDir, { mode: 0o700 });
  fs.writeFileSync(passwordFile, password, { mode: 0o600 });
  if (account.uid !== undefined && account.gid !== undefined) {
    for (const file of [dataDir, passwordFile]) fs.chownSync(file, account.uid, account.gid);
  }
  try {
    await promisify(execFile)(
      binaries.initdb,
      [
        '-D',
        dataDir,
        '-U',
        'postgres',
        '-A',
        'scram-sha-256',
        `--pwfile=${passwordFile}`,
        '-E',
        'UTF8',
        // The same sort order and case rules on every platform, independent of libc and ICU versions.
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C',
      ],
      { ...account, env: serverEnvironment, cwd: '/', windowsHide: true },
    );
  } catch (error) {
    throw new Error(`initdb failed: ${(error as { stderr?: string }).stderr?.trim() || String(error)}`, { cause: error });
  } finally {
    fs.rmSync(passwordFile, { force: true });
  }
}
