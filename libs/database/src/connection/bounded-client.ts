import pg, { type ClientConfig, type PoolClient, type QueryConfig, type QueryResult } from 'pg';
import { isResponseLost, markOutcomeUnknown, READ_TIMEOUT } from './database-errors.js';
import { Deadline, withinDeadline } from './deadline.js';

/** Statements that never change data. */
const CHANGES_NOTHING = /^\s*(begin|start transaction|rollback)\b/i;
const ROLLBACK = /^\s*rollback\b/i;
const COMMIT = /^\s*commit\b/i;

/** Settings that this client adds to those of pg. */
export interface BoundedClientConfig extends ClientConfig {
  /** Milliseconds to wait for the response to a statement. pg's `query_timeout` would keep counting after a COPY has ended. */
  responseWithinMs?: number;
}

/**
 * A connection on which every wait has a limit, including waits for statements that TypeORM sends. A statement is only sent while the
 * request has time left; a connection whose server does not respond is abandoned; and if a response is lost and the statement may have
 * changed something, the error says so.
 */
export class BoundedClient extends pg.Client {
  private readonly responseWithinMs: number | undefined;

  constructor(config?: BoundedClientConfig) {
    super(config);
    this.responseWithinMs = config?.responseWithinMs;
    // The pool only listens to idle connections, and an 'error' event without a listener would end the process. The statement fails anyway.
    this.on('error', () => undefined);
  }

  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- pg has eight overloads, and callers see those
  override query(statement: any, ...rest: any[]): any {
    // A COPY stream, whose caller checks deadline and timeout itself, or a call with a callback, which no request uses.
    if (isStream(statement as string | object) || rest.some((argument) => typeof argument === 'function'))
      return super.query(statement as string, ...(rest as [unknown[]]));
    return this.send(typeof statement === 'string' ? { text: statement, values: rest[0] as unknown[] } : (statement as QueryConfig));
  }

  private async send(statement: QueryConfig): Promise<QueryResult> {
    if (!ROLLBACK.test(statement.text)) Deadline.current?.check();
    const isAlone = this.getTransactionStatus() === 'I' && !CHANGES_NOTHING.test(statement.text);
    const timed = { query_timeout: this.responseWithinMs, ...statement };
    try {
      return await super.query(timed);
    } catch (error) {
      // The next statement would wait just as long.
      if ((error as Error).message === READ_TIMEOUT) void this.end();
      if (isResponseLost(error) && (isAlone || COMMIT.test(statement.text))) markOutcomeUnknown(error as Error);
      throw error;
    }
  }
}

const isStream = (statement: string | object): boolean => typeof statement !== 'string' && 'submit' in statement;

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
