// The migration step of the next version. Like the real entry point, it runs in the folder of a service, but from source code.
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { migrateService } from '@fibre/server';

const name = basename(process.cwd());
const table = { 'coverage-service': 'access_node', 'event-service': 'event' }[name];

/** Runs in a transaction, with a lock that blocks even readers. */
class AddColumn4102444800000 {
  up = (runner) => runner.query(`alter table ${table} add column next_version text not null default 'as before'`);
}

/** Runs without blocking writes, as a migration that builds a large index would. */
class AddIndex4102444800001 {
  transaction = false;
  up = (runner) => runner.query(`create index concurrently ${table}_next_version_idx on ${table} (next_version)`);
}

const [service] = Object.values(await import(pathToFileURL(`src/${name}.ts`)));
const migrations = [...service.schema.migrations, AddColumn4102444800000, AddIndex4102444800001];
await migrateService({ ...service, schema: { ...service.schema, migrations } });
