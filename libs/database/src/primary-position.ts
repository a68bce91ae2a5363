import type { SideConnection } from './side-connection.js';

/**
 * How many bytes of log stand behind all that was acknowledged so far. A commit is flushed before it is acknowledged; where sessions like
 * ours do not wait for that (`synchronous_commit`), all that was written counts.
 */
const POSITION = `
  select pg_wal_lsn_diff(
    case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end, '0/0'
  )::float8 as position`;

/** How far the primary's log is. One small statement at a time, however many ask. */
export class PrimaryPosition {
  private running: Promise<number> | undefined;
  private next: Promise<number> | undefined;

  /** @param onAnswer is told each position, and a time (milliseconds) at which the log was no further */
  constructor(
    private readonly connection: SideConnection,
    private readonly onAnswer: (position: number, at: number) => void,
  ) {}

  /** A position that was asked for after this call, so that nothing acknowledged before it is missing. Who comes while one is asked waits for the next. */
  ask(): Promise<number> {
    this.next ??= this.afterRunning();
    return this.next;
  }

  private async afterRunning(): Promise<number> {
    await this.running?.catch(() => undefined);
    this.running = this.next;
    this.next = undefined;
    const at = performance.now();
    const [row] = await this.connection.query<{ position: number }>(POSITION);
    this.onAnswer(row!.position, at);
    return row!.position;
  }
}
