import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startTestPostgres } from '@fibre/testing';
import { interruption } from '../interruption.js';
import { summary } from './summary.js';

// Runs a command whose tests share one throw-away server, unless DATABASE_URL or CITUS_URL names another server, and sums up their results.
const root = join(import.meta.dirname, '../..');
/** See tools/tests/jest. */
const results = join(root, '.nx/tests');
const isSlow = (argument: string): boolean => argument === '--slow';
const [command, ...args] = process.argv.slice(2);
const began = performance.now();
rmSync(results, { recursive: true, force: true });
const server = await startTestPostgres();
// Ctrl-C also reaches the command; this process waits until the command has ended.
interruption();
const env = { ...process.env, TEST_POSTGRES_URL: server.url };
const child = spawn(
  command!,
  args.filter((argument) => !isSlow(argument)),
  { stdio: 'inherit', env },
);
const [code] = (await once(child, 'exit')) as [number | null];
await server.stop();
console.log(summary(results, root, (performance.now() - began) / 1_000, args.some(isSlow)));
process.exit(code ?? 1);
