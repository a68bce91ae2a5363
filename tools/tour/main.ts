import { Stack } from '../dev-stack/stack.js';
import { presentServices, serviceUrl } from '../dev-stack/services.js';
import { isReady } from '../dev-stack/service-process.js';
import { interruption } from '../interruption.js';
import { paint } from '../terminal.js';
import { UnexpectedAnswer } from './check.js';
import { coverageTour } from './coverage/coverage-tour.js';
import { eventTour } from './events/event-tour.js';
import { type Tour } from './tour.js';

const tours: readonly Tour[] = [coverageTour, eventTour];

async function visitAll(signal: AbortSignal): Promise<void> {
  for (const tour of tours) {
    console.log(`\n${paint(['bold', 'underline'], tour.title)}\n${tour.source}`);
    await tour.visit(signal);
  }
}

async function isStackRunning(): Promise<boolean> {
  const ready = await Promise.all(presentServices().map((service) => isReady(`${serviceUrl(service)}/health/ready`)));
  return ready.every(Boolean);
}

/** A failed request says little by itself; what it was about is in its cause. */
function words(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause ? words(error.cause) : '';
  return error.message.includes(cause) ? error.message : `${error.message}: ${cause}`;
}

const interrupted = interruption();
const stack = (await isStackRunning()) ? undefined : new Stack({ print: (line) => console.log(line), signal: interrupted });
const started = performance.now();
try {
  await stack?.start();
  await Promise.race([visitAll(interrupted), ...(stack ? [stack.failure()] : [])]);
  console.log(paint('green', `\nEverything was as it should be (${((performance.now() - started) / 1000).toFixed(1)} s).`));
} catch (error) {
  process.exitCode = 1;
  if (interrupted.aborted) console.error('\nInterrupted.');
  else console.error(paint('red', `\n${error instanceof UnexpectedAnswer ? 'Not as it should be: ' : ''}${words(error)}`));
}
await stack?.stop();
