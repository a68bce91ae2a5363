import { join } from 'node:path';
import { aborted, interruption } from '../interruption.js';
import { DATA_DIR, HOST, ISSUER_PORT } from '../workspace.js';
import { DEMO_CLIENTS } from './demo-accounts.js';
import { startDevIssuer } from './dev-issuer.js';

const interrupted = interruption();
const issuer = await startDevIssuer({ host: HOST, port: Number(process.env.PORT ?? ISSUER_PORT), dataDir: join(DATA_DIR, 'issuer') });
console.log(`Development issuer at ${issuer.url} (clients ${DEMO_CLIENTS.map(({ id }) => id).join(', ')}), Ctrl-C to stop`);
await aborted(interrupted);
await issuer.close();
