import { TEARDOWN } from './jest-global-setup.js';

/** Jest's `globalTeardown` for `globalSetup`: drops the template and its clones, and stops the server. */
export async function globalTeardown(): Promise<void> {
  await (globalThis as { [TEARDOWN]?: () => Promise<void> })[TEARDOWN]?.();
}
