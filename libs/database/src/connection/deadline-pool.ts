import pg, { type PoolClient } from 'pg';
import { Deadline, withinDeadline } from './deadline.js';

type Connected = (error: Error | undefined, client: PoolClient | undefined, release: (error?: Error | boolean) => void) => void;

/** A pool that never keeps a request in its queue past the request's deadline. */
export class DeadlinePool extends pg.Pool {
  override connect(): Promise<PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<PoolClient> | void {
    const client = this.connectWithinDeadline();
    if (!callback) return client;
    client.then(
      (connected) => callback(undefined, connected, (error) => connected.release(error)),
      (error: Error) => callback(error, undefined, () => undefined),
    );
  }

  private async connectWithinDeadline(): Promise<PoolClient> {
    Deadline.current?.check();
    // A request that stops waiting keeps its place in the queue; its connection then goes straight to the next request.
    return withinDeadline(super.connect(), (late) => late.release());
  }
}
