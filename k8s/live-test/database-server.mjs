// Runs an embedded PostgreSQL until its parent lets go of it: `database-server.mjs ROOT DATABASE...`, from the sources.
import { startEmbeddedPostgres, withClient } from '@fibre/embedded-postgres';

const [root, first, ...others] = process.argv.slice(2);
const server = await startEmbeddedPostgres({ root, database: first });
const urls = [server.url];
for (const database of others) {
  const found = await withClient(server.url, (client) => client.query('select from pg_database where datname = $1', [database]));
  if (found.rowCount === 0) await withClient(server.url, (client) => client.query(`create database "${database}"`));
  urls.push(Object.assign(new URL(server.url), { pathname: `/${database}` }).href);
}
process.send(urls);
process.once('disconnect', () => server.stop());
