// Runs an embedded PostgreSQL until its parent lets go of it: `database-server.mjs ROOT DATABASE...`, from the sources.
import { startEmbeddedPostgres } from '@fibre/embedded-postgres';

const [root, ...names] = process.argv.slice(2);
const databases = [];
for (const database of names) databases.push(await startEmbeddedPostgres({ root, database }));
process.send(databases.map(({ url }) => url));
process.once('disconnect', async () => {
  for (const database of databases) await database.stop();
});
