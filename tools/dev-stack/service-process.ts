import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ProcessOptions {
  name: string;
  args: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Answers 200 when the service can do its work. */
  readyUrl: string;
  readyWithinMs?: number;
  stopWithinMs?: number;
}

/** Long enough for a first start on a slow machine, which makes the database. */
const READY_WITHIN_MS = 120_000;
const STOP_WITHIN_MS = 15_000;
const POLL_MS = 200;
const PROBE_TIMEOUT_MS = 2_000;
const REMEMBERED_LINES = 15;

/** A service as a child process: started, awaited, watched and stopped. */
export class ServiceProcess {
  /** Settles when the process is gone, with the reason in words. */
  readonly gone: Promise<string>;
  private readonly child: ChildProcess;
  private readonly lines: string[] = [];
  private isGone = false;

  constructor(
    private readonly options: ProcessOptions,
    private readonly onLine: (line: string) => void,
  ) {
    // A process group of its own: Ctrl-C reaches this process alone, which then stops the services in order.
    const detached = process.platform !== 'win32';
    this.child = spawn(process.execPath, options.args, { cwd: options.cwd, env: options.env, detached, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      if (!stream) continue;
      createInterface({ input: stream }).on('line', (line) => {
        this.lines.splice(0, this.lines.length - REMEMBERED_LINES + 1);
        this.lines.push(line);
        onLine(line);
      });
    }
    this.gone = this.watch();
  }

  get name(): string {
    return this.options.name;
  }

  /** Whether it is gone and had the time to clean up after itself. */
  get endedWell(): boolean {
    return this.child.exitCode === 0;
  }

  /** The end of its output, for a message about its failure. */
  get lastLines(): readonly string[] {
    return this.lines;
  }

  /** Waits until the service reports ready; rejects when it dies, takes too long or the signal aborts. */
  async ready(signal: AbortSignal): Promise<void> {
    const { name, readyUrl, readyWithinMs = READY_WITHIN_MS } = this.options;
    const deadline = Date.now() + readyWithinMs;
    while (!(await isReady(readyUrl))) {
      signal.throwIfAborted();
      if (this.isGone) throw new Error(`${name} ${await this.gone}`);
      if (Date.now() > deadline) throw new Error(`${name} was not ready after ${readyWithinMs / 1000} s`);
      await sleep(POLL_MS);
    }
  }

  /** Lets the service finish what it is doing; kills it when that takes too long. */
  async stop(): Promise<void> {
    if (this.isGone) return;
    const { stopWithinMs = STOP_WITHIN_MS } = this.options;
    this.child.kill('SIGTERM');
    const patience = setTimeout(() => {
      this.onLine(`did not stop within ${stopWithinMs / 1000} s and is killed`);
      this.child.kill('SIGKILL');
    }, stopWithinMs);
    await this.gone;
    clearTimeout(patience);
  }

  private async watch(): Promise<string> {
    const reason = await once(this.child, 'exit').then(
      ([code, signal]: (number | string | null)[]) => (signal ? `was ended by ${signal}` : `ended with exit code ${code}`),
      (error: Error) => `could not be started: ${error.message}`,
    );
    this.isGone = true;
    // A process that it left behind may still hold the pipes: they must not keep this one alive.
    await sleep(POLL_MS);
    this.child.stdout?.destroy();
    this.child.stderr?.destroy();
    return reason;
  }
}

/** Whether the URL answers with success right now. */
export async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
