import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ProgramOptions {
  /** What messages call it. */
  name: string;
  /** Node.js when absent. */
  command?: string;
  args: readonly string[];
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Answers with success when the program can do its work. */
  readyUrl: string;
  headers?: Record<string, string>;
  readyWithinMs?: number;
  stopWithinMs?: number;
  pollMs?: number;
  /** In a process group of its own, which no Ctrl-C of the terminal reaches. */
  detached?: boolean;
  /** File descriptor for its output, instead of lines. */
  output?: number;
  onLine?: (line: string) => void;
}

/** Long enough for a first start, which makes a database, on a machine that has a lot else to do. */
const READY_WITHIN_MS = 300_000;
const STOP_WITHIN_MS = 60_000;
const POLL_MS = 50;
const PROBE_TIMEOUT_MS = 10_000;
const PIPES_WITHIN_MS = 2_000;
const REMEMBERED_LINES = 10_000;

/** A program as a child process: started, awaited, watched and stopped. It ends with us at the latest. */
export class Program {
  readonly name: string;
  /** Settles when the process is gone, with the reason in words. */
  readonly gone: Promise<string>;
  /** The end of its output. */
  readonly lines: string[] = [];
  private readonly child: ChildProcess;
  private isGone = false;

  constructor(private readonly options: ProgramOptions) {
    const { command = process.execPath, args, cwd, env, detached, output = 'pipe' } = options;
    this.name = options.name;
    this.child = spawn(command, args, { cwd, env, detached, stdio: ['ignore', output, output] });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      if (stream) createInterface({ input: stream }).on('line', (line) => this.take(line));
    }
    const kill = (): boolean => this.child.kill('SIGKILL');
    process.once('exit', kill);
    const closed = once(this.child, 'close').catch(() => undefined);
    this.gone = new Promise<string>((resolve) => {
      this.child.once('error', (error) => resolve(`could not be started: ${error.message}`));
      this.child.once('exit', (code, signal) => resolve(signal ? `was ended by ${signal}` : `ended with exit code ${code}`));
    }).then(async (reason) => {
      this.isGone = true;
      process.removeListener('exit', kill);
      // The last lines come after the end; but a process that it left behind may hold the pipes, and must not keep this one alive.
      await Promise.race([closed, sleep(PIPES_WITHIN_MS, undefined, { ref: false })]);
      this.child.stdout?.destroy();
      this.child.stderr?.destroy();
      return reason;
    });
  }

  get pid(): number {
    return this.child.pid!;
  }

  /** Null while it runs and when a signal ended it. */
  get exitCode(): number | null {
    return this.child.exitCode;
  }

  /** Waits until the program reports ready; rejects when it dies, takes too long or the signal aborts. */
  async ready(signal?: AbortSignal): Promise<this> {
    const { readyUrl, headers, readyWithinMs = READY_WITHIN_MS, pollMs = POLL_MS } = this.options;
    const end = Date.now() + readyWithinMs;
    while (!(await isReady(readyUrl, headers))) {
      signal?.throwIfAborted();
      if (this.isGone) throw new Error(`${this.name} ${await this.gone}`, { cause: this.lines.join('\n') });
      if (Date.now() > end)
        throw new Error(`${this.name} was not ready after ${readyWithinMs / 1_000} s`, { cause: this.lines.join('\n') });
      await sleep(pollMs);
    }
    return this;
  }

  /** Lets the program finish what it is doing; kills it when that takes too long. @returns its exit code, null for a signal's end */
  async stop(): Promise<number | null> {
    const { stopWithinMs = STOP_WITHIN_MS } = this.options;
    this.signal('SIGTERM');
    const patience = setTimeout(() => {
      this.take(`did not stop within ${stopWithinMs / 1_000} s and is killed`);
      this.signal('SIGKILL');
    }, stopWithinMs);
    await this.gone;
    clearTimeout(patience);
    return this.exitCode;
  }

  /** Ends it in the middle of whatever it does. */
  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.gone;
  }

  signal(signal: NodeJS.Signals): void {
    if (!this.isGone) this.child.kill(signal);
  }

  private take(line: string): void {
    this.lines.splice(0, this.lines.length - REMEMBERED_LINES + 1);
    this.lines.push(line);
    this.options.onLine?.(line);
  }
}

/** Whether the URL answers with success right now. */
export async function isReady(url: string, headers: Record<string, string> = {}): Promise<boolean> {
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
