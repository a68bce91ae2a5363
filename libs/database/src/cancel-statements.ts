import pg, { type Client, type ClientBase } from 'pg';
import { Deadline, WorkCancelled } from './deadline.js';

/** Milliseconds that a statement may still run: most end by themselves, and a cancellation costs the server more than they do. */
const GRACE_MS = 100;
/** Milliseconds in which a cancelled statement has to end; then the connection is given up. */
const CANCEL_WITHIN_MS = 2_000;
/** These end a transaction: a rollback runs whatever has happened, and nobody could say what became of a cancelled commit. */
const [COMMIT, ROLLBACK] = [/^\s*commit\b/i, /^\s*rollback\b/i];

/** The parts of pg's client and connection that a cancellation needs and that its types leave out. */
interface Cancellable extends Client {
  readonly processID: number;
  readonly secretKey: number | Buffer;
  readonly sslNegotiation: string;
}
interface CancelConnection extends pg.Connection {
  connect(port: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processID: number, secretKey: number | Buffer): void;
}

/** Statements of a connection end with the deadline of the request that sends them: on the server too, not only for who waits. */
export function heedDeadlines(connection: ClientBase): void {
  const client = connection as Cancellable;
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  const bounded = (...given: unknown[]): unknown => {
    const deadline = Deadline.current;
    if (!deadline) return query(...given);
    const [statement] = given as [string | { text?: string }];
    const text = (typeof statement === 'string' ? statement : statement.text) ?? '';
    if (ROLLBACK.test(text)) return query(...given);
    if (deadline.over) return Promise.reject(new WorkCancelled(deadline.over));
    const answer = query(...given);
    return answer instanceof Promise && !COMMIT.test(text) ? answerWithin(deadline, client, answer) : answer;
  };
  client.query = bounded as typeof client.query;
}

async function answerWithin<T>(deadline: Deadline, client: Cancellable, answer: Promise<T>): Promise<T> {
  let cancelled: Promise<void> | undefined;
  let grace: NodeJS.Timeout | undefined;
  const stopListening = deadline.onEnd(() => {
    grace = setTimeout(() => {
      cancelled = cancel(client, answer);
    }, GRACE_MS);
  });
  try {
    const result = await answer;
    // It was faster than its cancellation. But a commit that is cancelled while it waits for a standby also says that all is well.
    if (deadline.over && cancelled) throw new WorkCancelled(deadline.over, { outcomeUnknown: true });
    return result;
  } catch (error) {
    if (!cancelled || error instanceof WorkCancelled) throw error;
    throw new WorkCancelled(deadline.over!, { outcomeUnknown: !isStatementCancelled(error), cause: error });
  } finally {
    stopListening();
    clearTimeout(grace);
    // A cancellation that is still on its way would hit the next statement of the connection.
    await cancelled;
  }
}

/** SQLSTATE `query_canceled`: the server has ended the statement and undone it. */
const isStatementCancelled = (error: unknown): boolean => (error as { code?: unknown } | undefined)?.code === '57014';

/** Asks the server to cancel what the client runs, by a connection of its own as the protocol has it; ends with the statement. */
async function cancel(client: Cancellable, answer: Promise<unknown>): Promise<void> {
  // Neither a server that is silent nor a lost request may hold up the end.
  const request = new pg.Connection({ ssl: client.ssl }) as CancelConnection;
  const giveUp = setTimeout(() => {
    request.stream.destroy();
    void client.end();
  }, CANCEL_WITHIN_MS);
  await Promise.all([send(request, client), answer.catch(() => undefined)]);
  clearTimeout(giveUp);
}

/** Settles when the server has closed the connection: then the signal has been sent. */
function send(request: CancelConnection, client: Cancellable): Promise<void> {
  return new Promise((resolve) => {
    const sendCancel = (): void => request.cancel(client.processID, client.secretKey);
    request.on('connect', () => {
      if (!client.ssl) sendCancel();
      else if (client.sslNegotiation !== 'direct') request.requestSsl();
    });
    request.on('sslconnect', sendCancel);
    request.on('error', () => undefined);
    request.on('end', resolve);
    if (client.host.startsWith('/')) request.connect(`${client.host}/.s.PGSQL.${client.port}`);
    else request.connect(client.port, client.host);
  });
}
