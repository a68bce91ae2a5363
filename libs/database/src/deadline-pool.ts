import pg, { type PoolClient } from 'pg';
import { Deadline, withinDeadline, WorkCancelled } from './deadline.js';

type Connected = (error: Error | undefined, client: PoolClient | undefined, release: (error?: Error | boolean) => void) => void;

/** A pool in whose queue nobody waits beyond the deadline of the request. */
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
    const over = Deadline.current?.over;
    if (over) throw new WorkCancelled(over);
    // Its turn comes all the same; the connection goes straight to the next one.
    return withinDeadline(super.connect(), (late) => late.release());
  }
}
