import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { startTestPostgres } from '@fibre/testing';
import { interruption } from '../interruption.js';

// Runs a command whose tests share one throw-away server, unless DATABASE_URL or CITUS_URL names another server.
const server = await startTestPostgres();
const [command, ...args] = process.argv.slice(2);
// Ctrl-C also reaches the command; this process waits until the command has ended.
interruption();
const child = spawn(command!, args, { stdio: 'inherit', env: { ...process.env, TEST_POSTGRES_URL: server.url } });
const [code] = (await once(child, 'exit')) as [number | null];
await server.stop();
process.exit(code ?? 1);
