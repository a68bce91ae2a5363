import { join } from 'node:path';
import { aborted, interruption } from '../interruption.js';
import { DATA_DIR, HOST, ISSUER_PORT } from '../workspace.js';
import { DEMO_CLIENTS } from './demo-accounts.js';
import { startDevIssuer } from './dev-issuer.js';

const port = Number(process.env.PORT ?? ISSUER_PORT);
try {
  const interrupted = interruption();
  const issuer = await startDevIssuer({ host: HOST, port, dataDir: join(DATA_DIR, 'issuer') });
  console.log(`Development issuer at ${issuer.url} (clients ${DEMO_CLIENTS.map(({ id }) => id).join(', ')}), Ctrl-C to stop`);
  await aborted(interrupted);
  await issuer.close();
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  console.error(
    code === 'EADDRINUSE'
      ? `Port ${port} is already in use: is the issuer or the whole stack running? To use another port: PORT=${port + 1_000} npx nx run tools:issuer, ` +
          `and OAUTH_ISSUER=http://${HOST}:${port + 1_000} for the services`
      : message,
  );
  process.exitCode = 1;
}
