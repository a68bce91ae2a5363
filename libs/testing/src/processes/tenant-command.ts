import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { withClient } from '@fibre/embedded-postgres';
import { type ServerEnv, type ServiceDefinition, tenantCommand } from '@fibre/server';
import pg from 'pg';
import { outcomeOf, startCommand } from './service-command.js';
import { until } from '../until.js';

interface Outcome {
  readonly code: number | null;
  readonly said: string;
}

const APPS = join(import.meta.dirname, '../../../../apps');

/** The tenant command of a service on a database. */
export class TenantCommand<E extends ServerEnv> {
  constructor(
    private readonly service: ServiceDefinition<E>,
    private readonly databaseUrl: string,
  ) {}

  /** Runs the command in this process, which takes a fraction of the time. @returns what it said, and its exit code */
  run(...args: string[]): Promise<Outcome> {
    const manifest = pathToFileURL(join(APPS, this.service.name, 'package.json'));
    return tenantCommand(this.service, manifest, args, this.databaseUrl).then(
      (said) => ({ code: 0, said }),
      (error: Error) => ({ code: 1, said: error.message }),
    );
  }

  /** Runs the command as operators do. */
  runAsProcess(...args: string[]): Promise<Outcome> {
    return outcomeOf(this.start(args));
  }

  /** Kills the command when it waits for a lock that `statement` takes, and gives the lock back. */
  async killAt(statement: string, ...args: string[]): Promise<void> {
    await withClient(this.databaseUrl, async (client) => {
      await client.query('begin');
      const { rowCount } = await client.query(statement);
      if (rowCount === 0) throw new Error(`${statement} locks nothing`);
      const child = this.start(args);
      const gone = once(child, 'exit');
      const waits = `select 1 from pg_stat_activity a where a.application_name = '${this.service.name}-tenant' and a.wait_event_type = 'Lock'`;
      await until(`the command waits for ${statement}`, async () => {
        if (child.exitCode !== null) throw new Error(`the command ended with ${child.exitCode} before it waited for ${statement}`);
        return (await this.query(waits)).length > 0;
      });
      child.kill('SIGKILL');
      await gone;
      await client.query('rollback');
    });
    // The server finishes the statement that it was running.
    await until(
      'the command is gone',
      async () =>
        (await this.query(`select 1 from pg_stat_activity a where a.application_name = '${this.service.name}-tenant'`)).length === 0,
    );
  }

  /** All rows of a tenant, or of the others, as text by table: of every table in the database but `migrations`. */
  async rowsOf(tenant: string, others = false): Promise<Record<string, string[]>> {
    const tables = await this.query<{ name: string }>(
      `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> 'migrations' order by 1`,
    );
    const found: Record<string, string[]> = {};
    for (const { name } of tables) {
      const rows = await this.query<{ row: string }>(
        `select t::text as row from ${name} t where t.tenant ${others ? '<>' : '='} ${pg.escapeLiteral(tenant)} order by 1`,
      );
      if (rows.length > 0) found[name] = rows.map(({ row }) => row);
    }
    return found;
  }

  query<T>(statement: string): Promise<T[]> {
    return withClient(this.databaseUrl, async (client) => (await client.query(statement)).rows as T[]);
  }

  private start(args: string[]): ChildProcess {
    return startCommand(this.service.name, 'src/tenant.ts', this.databaseUrl, args);
  }
}
