// What has to be installed besides Node.js. A machine without it skips the test and says so; CI has to have it.
import { spawnSync } from 'node:child_process';

/** @returns options for a test that needs these programs */
export function unless(...programs) {
  const missing = programs.filter((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0);
  if (missing.length === 0) return {};
  const reason = `SKIPPED, because it needs what is not installed: ${missing.join(', ')}`;
  if (process.env.CI === 'true') throw new Error(reason);
  console.error(`!!! ${reason} !!!`);
  return { skip: reason };
}
