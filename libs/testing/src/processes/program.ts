import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ProgramOptions {
  /** Name of the program in messages. */
  name: string;
  /** Default: Node.js. */
  command?: string;
  args: readonly string[];
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Responds with success once the program is ready. */
  readyUrl: string;
  readyWithinMs?: number;
  stopWithinMs?: number;
  /** Whether it runs in its own process group, which Ctrl-C in the terminal does not reach. */
  detached?: boolean;
  /** File descriptor for the program's output; `lines` then stays empty, and `onLine` is not called. */
  output?: number;
  onLine?: (line: string) => void;
}

/** Long enough for a first start, which creates a database, on a busy machine. */
const READY_WITHIN_MS = 300_000;
const STOP_WITHIN_MS = 60_000;
const POLL_MS = 50;
const PROBE_TIMEOUT_MS = 10_000;
const PIPES_WITHIN_MS = 2_000;
const REMEMBERED_LINES = 10_000;
const SHOWN_LINES = 20;

/** A program as a child process that never outlives this one. */
export class Program {
  readonly name: string;
  /** Resolves with the reason when the process has ended. */
  readonly gone: Promise<string>;
  /** The last lines of its output. */
  readonly lines: string[] = [];
  private readonly child: ChildProcess;
  private isGone = false;

  constructor(private readonly options: ProgramOptions) {
    const { command = process.execPath, args, cwd, env, detached, output = 'pipe' } = options;
    this.name = options.name;
    this.child = spawn(command, args, { cwd, env, detached, stdio: ['ignore', output, output] });
    for (const stream of [this.child.stdout, this.child.stderr])
      if (stream) createInterface({ input: stream }).on('line', (line) => this.take(line));
    const kill = (): boolean => this.child.kill('SIGKILL');
    process.once('exit', kill);
    this.gone = this.waitForEnd().finally(() => process.removeListener('exit', kill));
  }

  get pid(): number {
    return this.child.pid!;
  }

  get hasEnded(): boolean {
    return this.isGone;
  }

  /** Waits until the program is ready; rejects if it ends, takes too long or the signal aborts. */
  async ready(signal?: AbortSignal): Promise<this> {
    const { readyUrl, readyWithinMs = READY_WITHIN_MS } = this.options;
    const fail = (what: string): never => {
      throw new Error([`${this.name} ${what}`, ...this.lines.slice(-SHOWN_LINES)].join('\n'));
    };
    for (const end = Date.now() + readyWithinMs; !(await isReady(readyUrl)); await sleep(POLL_MS)) {
      signal?.throwIfAborted();
      if (this.isGone) fail(await this.gone);
      if (Date.now() > end) fail(`was not ready after ${readyWithinMs / 1_000} s`);
    }
    return this;
  }

  /** Lets the program finish its work, but kills it if that takes too long. @returns its exit code, or null if a signal ended it */
  async stop(): Promise<number | null> {
    const { stopWithinMs = STOP_WITHIN_MS } = this.options;
    this.signal('SIGTERM');
    const patience = setTimeout(() => {
      this.take(`did not stop within ${stopWithinMs / 1_000} s and was killed`);
      this.signal('SIGKILL');
    }, stopWithinMs);
    await this.gone;
    clearTimeout(patience);
    return this.child.exitCode;
  }

  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.gone;
  }

  signal(signal: NodeJS.Signals): void {
    if (!this.isGone) this.child.kill(signal);
  }

  private async waitForEnd(): Promise<string> {
    const { child } = this;
    const closed = once(child, 'close').catch(() => undefined);
    const reason = await new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(`could not be started: ${error.message}`));
      child.once('exit', (code, signal) => resolve(signal ? `was ended by ${signal}` : `ended with exit code ${code}`));
    });
    this.isGone = true;
    // The last lines arrive after the exit, but a process left behind may keep the pipes open and must not keep this process alive.
    await Promise.race([closed, sleep(PIPES_WITHIN_MS, undefined, { ref: false })]);
    child.stdout?.destroy();
    child.stderr?.destroy();
    return reason;
  }

  private take(line: string): void {
    this.lines.splice(0, this.lines.length - REMEMBERED_LINES + 1);
    this.lines.push(line);
    // For tools/planted, which reads what a service says of a planted fault.
    const log = process.env['TEST_PROGRAM_LOG'];
    if (log) appendFileSync(log, `${line}\n`);
    this.options.onLine?.(line);
  }
}

/** Whether the URL responds with success right now. */
export const isReady = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) })
    .then(async (response) => {
      await response.body?.cancel();
      return response.ok;
    })
    .catch(() => false);
