import { type ChildProcess, fork, type ForkOptions } from 'node:child_process';
import { once } from 'node:events';

/** A child process that is talked to by messages, one question at a time. */
export class Child {
  private readonly child: ChildProcess;
  private readonly end = (): boolean => this.child.kill('SIGTERM');
  private stopped = false;
  private readonly died: Promise<never>;

  constructor(file: string, options: ForkOptions = {}) {
    this.child = fork(file, options);
    this.died = new Promise((_resolve, reject) => {
      this.child.once('error', reject);
      this.child.once('exit', (code, signal) => {
        if (!this.stopped) reject(new Error(`${file} ended (${signal ?? code})`));
      });
    });
    this.died.catch(() => undefined);
    process.once('exit', this.end);
  }

  get pid(): number {
    return this.child.pid!;
  }

  /** The next message of the child. */
  async message<T>(): Promise<T> {
    const [message] = (await Promise.race([once(this.child, 'message'), this.died])) as [T];
    return message;
  }

  async ask<T>(question: object | string): Promise<T> {
    const answer = this.message<T>();
    this.child.send(question);
    return answer;
  }

  async stop(): Promise<void> {
    process.removeListener('exit', this.end);
    if (this.stopped || this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.stopped = true;
    const gone = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await gone;
  }
}
