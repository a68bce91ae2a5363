import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds a service may take to start: it makes its database, or recovers it. */
const PATIENCE_MS = 60_000;
const POLL_MS = 50;
const ROOT = join(import.meta.dirname, '..');
const FROM_SOURCE = ['--enable-source-maps', '--conditions=source', '--import', '@swc-node/register/esm-register', 'src/main.ts'];

/** A coverage-service as a process of its own, so that it can be killed. */
export interface ServiceProcess {
  readonly url: string;
  /** Lines of its log so far. */
  readonly log: () => Record<string, unknown>[];
  readonly signal: (signal: 'SIGKILL' | 'SIGTERM') => Promise<number | null>;
}

/** Starts the service on a free port and waits until it is ready. */
export async function startServiceProcess(environment: Record<string, string>): Promise<ServiceProcess> {
  const { DATABASE_URL: _database, NODE_OPTIONS: _options, ...inherited } = process.env;
  const port = await freePort();
  const child = spawn(process.execPath, FROM_SOURCE, {
    cwd: ROOT,
    env: { ...inherited, LOG_LEVEL: 'info', ...environment, PORT: String(port) },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const url = `http://127.0.0.1:${port}`;
  await untilReady(url, child, () => output);
  return {
    url,
    log: () =>
      output
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    async signal(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const ended = once(child, 'exit');
      child.kill(signal);
      return (await ended)[0] as number | null;
    },
  };
}

async function untilReady(url: string, child: ChildProcessWithoutNullStreams, output: () => string): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; ; await sleep(POLL_MS)) {
    if (child.exitCode !== null || Date.now() > end) throw new Error(`the service does not start: ${output()}`);
    const ready = await fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) return;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
