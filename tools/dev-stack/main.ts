import { parseArgs } from 'node:util';
import { aborted, interruption } from '../interruption.js';
import { resetDue, resetTime, Sandbox } from './sandbox.js';
import { SERVICES, Stack } from './stack.js';
import { welcome } from './welcome.js';

const interrupted = interruption();
let stack: Stack | undefined;

/** `npm start`, or `npm start -- --sandbox`. Returns when it is interrupted. */
async function run(): Promise<void> {
  const { sandbox: isSandbox = false } = parseArgs({ options: { sandbox: { type: 'boolean' } } }).values;
  const resetAt = isSandbox ? resetTime() : undefined;
  stack = new Stack((line) => console.log(line), interrupted, resetAt && new Sandbox(SERVICES.map(({ name }) => name)));
  await stack.start();
  console.log(welcome(resetAt));
  for (;;) {
    await Promise.race([aborted(interrupted), stack.failure(), ...(resetAt ? [resetDue(resetAt)] : [])]);
    if (interrupted.aborted) return;
    await stack.reset();
  }
}

await run().catch((error: Error) => {
  if (interrupted.aborted) return;
  console.error(`\n${error.message}`);
  process.exitCode = 1;
});
if (interrupted.aborted) console.log('\nStopping ...');
await stack?.stop();
// Exit even if a crashed service has left something open.
process.exit();
