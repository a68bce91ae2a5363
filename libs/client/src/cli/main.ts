#!/usr/bin/env node
import { run } from './run.js';
import { environment } from './shared/settings.env.js';

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // With `once`, a second signal ends the process immediately.
  process.once(signal, () => interruption.abort(signal));
}
// The failed write itself reports the error.
process.stdout.on('error', () => undefined);

const { stdin, stdout, stderr } = process;
process.exitCode = await run(process.argv.slice(2), { env: environment, stdin, stdout, stderr, signal: interruption.signal });
