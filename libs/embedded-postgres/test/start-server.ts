// A minimal service with only a database, run as its own process so that a test can kill it.
import { startEmbeddedPostgres } from '@fibre/embedded-postgres';

const [root = ''] = process.argv.slice(2);
const server = await startEmbeddedPostgres({ root, database: 'fibre' });
process.on('SIGTERM', () => void server.stop().then(() => process.exit(0)));
setInterval(() => undefined, 1000);
console.log(JSON.stringify(server));
