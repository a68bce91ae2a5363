// Programs that run beside the tests, from the testing library, whose TypeScript is compiled as it is imported.
import '@swc-node/register/esm-register';

const { freePort, FROM_SOURCES, Program, ServiceProcess, startTcpRelay } = await import('../../libs/testing/src/processes/index.ts');
export const { isAlive } = await import('../../libs/embedded-postgres/src/server-process.ts');
export { freePort, FROM_SOURCES };

export const HOST = '127.0.0.1';

/** Starts a program, waits until it is ready, and stops it at the end of `test`. */
export const start = (test, options) => untilEnd(test, new Program({ name: options.command ?? options.args.at(-1), ...options }));

/** Starts one replica of a service as it is deployed: what `npm run build` made of it. */
export const startService = (test, name, port, env) => untilEnd(test, new ServiceProcess(name, port, env, { args: ['dist/main.js'] }));

function untilEnd(test, program) {
  test.after(() => program.stop());
  return program.ready();
}

/** A relay until the end of `test`; see `startTcpRelay`. */
export async function startRelay(test, target) {
  const relay = await startTcpRelay(target);
  test.after(relay.cut);
  return relay;
}
