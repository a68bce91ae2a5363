import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withClient } from '@fibre/embedded-postgres';
import { freePort, until } from '@fibre/testing/processes';
import { WORKSPACE } from '../workspace.js';
import { must, type Outcome, run } from './outcome.js';

const DEPLOY = join(WORKSPACE, 'deploy/one-machine');
const PASSWORD = 'secret';
const SERVICES = ['coverage', 'event'] as const;

/** Debian's PostgreSQL and pgBackRest with the files of deploy/one-machine, in a temporary folder. The repository is on another "disk". */
export class Machine {
  private constructor(
    readonly folder: string,
    private readonly bin: string,
    private readonly ports: { live: number; copy: number },
  ) {}

  /** @returns undefined if a package is missing, or this process may not act for other users */
  static async start(archiveTimeout: string): Promise<Machine | undefined> {
    const bin = [18, 17, 16, 15].map((major) => `/usr/lib/postgresql/${major}/bin`).find((folder) => existsSync(join(folder, 'initdb')));
    if (process.getuid?.() !== 0 || !bin || !existsSync('/usr/bin/pgbackrest')) return undefined;
    const machine = new Machine(mkdtempSync(join(tmpdir(), 'restore-')), bin, { live: await freePort(), copy: await freePort() });
    try {
      await machine.install(archiveTimeout);
      return machine;
    } catch (error) {
      await machine.close();
      throw error;
    }
  }

  get data(): string {
    return join(this.folder, 'live');
  }

  url(service: string, role = `${service}_serve`): string {
    return `postgres://${role}:${PASSWORD}@127.0.0.1:${this.ports.live}/${service}`;
  }

  query<Row>(service: string, statement: string): Promise<Row[]> {
    return withClient(this.url(service, 'postgres'), async (client) => (await client.query(statement)).rows as Row[]);
  }

  async startServer(): Promise<void> {
    const log = join(this.folder, 'log/server');
    await must(this.asPostgres(`${this.bin}/pg_ctl`, '-D', this.data, '-l', log, '-w', '-t', '3600', 'start')).catch((error: Error) => {
      // The folder is removed in the end, so the reason would be lost with it.
      throw new Error(`${error.message}\n${readFileSync(log, 'utf8').split('\n').slice(-20).join('\n')}`, { cause: error });
    });
  }

  pgBackRest(...args: string[]): Promise<Outcome> {
    return this.asPostgres('pgbackrest', '--stanza=fibre', ...args);
  }

  backUp(type: 'full' | 'diff'): Promise<Outcome> {
    return this.pgBackRest(`--type=${type}`, 'backup');
  }

  /** Kills all of the server at once, and removes its files: what is left is the repository. */
  loseServer(): void {
    const [pid] = readFileSync(join(this.data, 'postmaster.pid'), 'utf8').split('\n');
    // The whole session of the server, so that the archiver does not outlive it.
    execFileSync('pkill', ['-KILL', '-s', pid!]);
    rmSync(this.data, { recursive: true });
    // Gone with the machine too. The next server would not start as long as nobody has reaped the killed one, whose id is in the lock.
    for (const suffix of ['', '.lock']) rmSync(join(this.folder, `.s.PGSQL.${this.ports.live}${suffix}`), { force: true });
  }

  /** What docs/restore.md says to do after the loss of the disk. */
  async restore(...options: string[]): Promise<void> {
    const { code, said } = await this.pgBackRest(...options, 'restore');
    if (code !== 0) throw new Error(said);
    await this.startServer();
    // It can be read before it has replayed the archive.
    await until('the end of the recovery', async () => {
      const [row] = await this.query<{ recovers: boolean }>('postgres', 'select pg_is_in_recovery() as recovers');
      return !row!.recovers;
    });
  }

  /** @param env settings of the script */
  drill(env: NodeJS.ProcessEnv = {}, ...args: string[]): Promise<Outcome> {
    return run(join(DEPLOY, 'restore-drill'), args, { cwd: '/', env: { ...this.env, ...env } });
  }

  get metrics(): string | undefined {
    const file = join(this.folder, 'metrics/restore-drill-1.prom');
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  }

  async close(): Promise<void> {
    await this.drill({}, '--clean');
    if (existsSync(join(this.data, 'postmaster.pid')))
      await this.asPostgres(`${this.bin}/pg_ctl`, '-D', this.data, '-m', 'immediate', '-w', 'stop');
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async install(archiveTimeout: string): Promise<void> {
    const { folder, data } = this;
    for (const part of ['', 'repository', 'settings', 'metrics', 'log', 'lock']) mkdirSync(join(folder, part), { recursive: true });
    chmodSync(folder, 0o755);
    const config = readFileSync(join(DEPLOY, 'backup/pgbackrest.conf'), 'utf8');
    const changes = {
      'repo1-path': join(folder, 'repository'),
      'pg1-path': data,
      'log-path': join(folder, 'log'),
      'lock-path': join(folder, 'lock'),
    };
    const own = Object.entries(changes).reduce(
      (text, [name, value]) =>
        text.includes(`\n${name}=`)
          ? text.replace(new RegExp(`^${name}=.*$`, 'm'), `${name}=${value}`)
          : text.replace('[global]', `[global]\n${name}=${value}`),
      config,
    );
    writeFileSync(join(folder, 'pgbackrest.conf'), `${own}pg1-port=${this.ports.live}\npg1-socket-path=${folder}\n`);
    writeFileSync(join(folder, 'password'), PASSWORD, { mode: 0o644 });
    execFileSync('chown', ['-R', 'postgres:postgres', folder]);
    const initdb = [
      '-U',
      'postgres',
      '--auth-local=peer',
      '--auth-host=scram-sha-256',
      `--pwfile=${folder}/password`,
      '-E',
      'UTF8',
      '--locale=C',
      '-k',
    ];
    await must(this.asPostgres(`${this.bin}/initdb`, '-D', data, ...initdb));
    mkdirSync(join(data, 'conf.d'));
    cpSync(join(DEPLOY, 'backup/postgresql.conf'), join(data, 'conf.d/backup.conf'));
    appendFileSync(
      join(data, 'postgresql.conf'),
      `\nport = ${this.ports.live}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '${folder}'\nmax_wal_size = '4GB'\ninclude_dir = 'conf.d'\n`,
    );
    writeFileSync(join(data, 'conf.d/timeout.conf'), `archive_timeout = '${archiveTimeout}'\n`);
    execFileSync('chown', ['-R', 'postgres:postgres', data]);
    await this.startServer();
    await must(this.pgBackRest('stanza-create'));
    for (const service of SERVICES) {
      await withClient(this.url('postgres', 'postgres'), async (client) => {
        for (const role of [`${service}_migrate`, `${service}_serve`])
          await client.query(`create role ${role} login password '${PASSWORD}'`);
        await client.query(`create database ${service} owner ${service}_migrate template template0 encoding 'UTF8' locale 'C'`);
      });
      await this.query(
        service,
        `alter default privileges for role ${service}_migrate grant select, insert, update, delete on tables to ${service}_serve`,
      );
      const settings = { DATABASE_URL: this.url(service), OAUTH_ISSUER: 'https://login.example.net', OAUTH_AUDIENCE: 'any' };
      writeFileSync(
        join(folder, `settings/${service}.env`),
        Object.entries(settings)
          .map(([name, value]) => `${name}=${value}\n`)
          .join(''),
      );
      const env = { ...process.env, DATABASE_URL: this.url(service, `${service}_migrate`) };
      await must(run(process.execPath, ['dist/migrate.js'], { cwd: join(WORKSPACE, `apps/${service}-service`), env }));
    }
  }

  private asPostgres(...command: string[]): Promise<Outcome> {
    return run('runuser', ['-u', 'postgres', '--', ...command], { cwd: '/', env: this.env });
  }

  private get env(): NodeJS.ProcessEnv {
    const { folder, ports } = this;
    return {
      PATH: process.env['PATH'],
      PGBACKREST_CONFIG: join(folder, 'pgbackrest.conf'),
      FIBRE_LIVE: `host=${folder} port=${ports.live}`,
      FIBRE_DRILL_PORT: String(ports.copy),
      FIBRE_DRILL: join(folder, 'drill'),
      FIBRE_APP: WORKSPACE,
      FIBRE_NODE: process.execPath,
      FIBRE_SETTINGS: join(folder, 'settings'),
      FIBRE_METRICS: join(folder, 'metrics'),
      FIBRE_USER: 'postgres',
    };
  }
}
