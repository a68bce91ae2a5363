// A service reduced to its database: started by the launcher's spec as a process of its own, so that it can be killed.
import { startEmbeddedPostgres } from '@fibre/embedded-postgres';

const [root = ''] = process.argv.slice(2);
const server = await startEmbeddedPostgres({ root, database: 'fibre' });
process.on('SIGTERM', () => void server.stop().then(() => process.exit(0)));
setInterval(() => undefined, 1000);
console.log(JSON.stringify(server));
