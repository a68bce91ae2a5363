import pg, { type PoolClient } from 'pg';
import { Deadline, WorkCancelled } from './deadline.js';

type Connected = (error: Error | undefined, client: PoolClient | undefined, release: (error?: Error | boolean) => void) => void;

/** A pool in whose queue nobody waits beyond the deadline of the request. */
export class DeadlinePool extends pg.Pool {
  override connect(): Promise<PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<PoolClient> | void {
    const deadline = Deadline.current;
    const client = deadline ? this.connectWithin(deadline) : super.connect();
    if (!callback) return client;
    client.then(
      (connected) => callback(undefined, connected, (error) => connected.release(error)),
      (error: Error) => callback(error, undefined, () => undefined),
    );
  }

  private async connectWithin(deadline: Deadline): Promise<PoolClient> {
    if (deadline.over) throw new WorkCancelled(deadline.over);
    const client = super.connect();
    let stopListening: () => void;
    const over = new Promise<never>((_resolve, reject) => {
      stopListening = deadline.onEnd((reason) => {
        reject(new WorkCancelled(reason));
        // Its turn comes all the same; the connection goes straight to the next one.
        client.then(
          (late) => late.release(),
          () => undefined,
        );
      });
    });
    return Promise.race([client, over]).finally(() => stopListening());
  }
}
