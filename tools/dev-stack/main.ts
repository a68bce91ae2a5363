import { aborted, interruption } from '../interruption.js';
import { Stack } from './stack.js';
import { welcome } from './welcome.js';

const interrupted = interruption();
const stack = new Stack((line) => console.log(line), interrupted);

try {
  await stack.start();
  console.log(welcome());
  await Promise.race([aborted(interrupted), stack.failure()]);
} catch (error) {
  if (!interrupted.aborted) {
    console.error(`\n${(error as Error).message}`);
    process.exitCode = 1;
  }
}
if (interrupted.aborted) console.log('\nStopping ...');
await stack.stop();
// Exit even if a crashed service has left something open.
process.exit();
