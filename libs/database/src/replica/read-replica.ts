import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { Pool, PoolConfig } from 'pg';
import { DeadlinePool } from '../connection/bounded-client.js';
import { connectionLimits, type DataSourceSettings } from '../connection/data-source.js';
import { isConnectionRejected, isDatabaseUnavailable } from '../connection/database-errors.js';
import { WorkCancelled } from '../connection/deadline.js';
import { SideConnection } from '../connection/side-connection.js';

/** Default number of seconds that a replica may be behind. */
const MAX_LAG_SECONDS = 10;
/** Milliseconds between checks of the servers. */
const CHECK_EVERY_MS = 1_000;
/** Milliseconds that the replica may take to connect, and then to run a statement; after that, the primary is used. */
const TIMEOUT_MS = 2_000;
/** Milliseconds beyond TIMEOUT_MS after which a statement on the replica counts as lost. */
const GRACE_MS = 500;
/** Milliseconds within which a healthy replica replays a new write from its primary. */
const REPLAY_MS = 100;

const PRIMARY_POSITION = `select pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::float8 as position`;
const REPLAYED = `select pg_is_in_recovery() as is_replica, pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::float8 as position`;

/** Why searches use the primary. */
const FAULTS = {
  unreachable: 'the read replica does not respond',
  promoted: 'the read replica is now a primary',
  lag: 'the read replica is too far behind',
};
type Fault = keyof typeof FAULTS;

/** Settings of the primary, most of which also apply to the replica, and the replica's maximum lag. */
export interface ReplicaSettings extends DataSourceSettings {
  /** A replica that is further behind than this is not used while the primary is up. Default 10. */
  replicaMaxLagSeconds?: number;
}

/** A log position, and the time (in milliseconds) at which the primary was there. */
interface Mark {
  readonly position: number;
  readonly at: number;
}

/**
 * A streaming replica that runs searches unless the last check, at most about a second ago, found it too far behind. The replica is
 * optional: startup does not wait for it, and the primary runs what the replica cannot. While the primary is down, the replica is used
 * however far behind it is.
 */
export class ReadReplica {
  /** Connects on first use. */
  readonly pool: Pool;
  private readonly logger = new Logger('Database');
  private readonly primarySide: SideConnection;
  private readonly replicaSide: SideConnection;
  private readonly maxLagMs: number;
  private readonly closing = new AbortController();
  /** Number of successful searches on each server. */
  readonly reads = { replica: 0, primary: 0 };
  private checking: Promise<void> | undefined;
  private fault: Fault | 'not checked yet' | undefined = 'not checked yet';
  private checkedAt = 0;
  /** The replica has everything that the primary had acknowledged by this time. */
  private freshAt = -Infinity;
  /** Once the replica has replayed this position, {@link freshAt} advances. */
  private mark: Mark | undefined;

  constructor(url: string, settings: ReplicaSettings) {
    const { applicationName, poolSize, replicaMaxLagSeconds = MAX_LAG_SECONDS } = settings;
    const limits = connectionLimits({ ...settings, statementTimeoutMs: TIMEOUT_MS, connectionWaitMs: TIMEOUT_MS });
    const common: PoolConfig = { ...limits, application_name: applicationName };
    const replica = { ...common, connectionString: url, responseWithinMs: TIMEOUT_MS + GRACE_MS };
    this.maxLagMs = replicaMaxLagSeconds * 1_000;
    this.pool = new DeadlinePool({ ...replica, max: poolSize });
    // An idle connection was lost; the next check finds out why.
    this.pool.on('error', () => undefined);
    this.primarySide = new SideConnection({ ...common, connectionString: settings.url });
    this.replicaSide = new SideConnection(replica);
  }

  onModuleInit(): void {
    this.checking ??= this.checkAgainAndAgain();
  }

  async onApplicationShutdown(): Promise<void> {
    this.closing.abort();
    await Promise.all([this.primarySide.close(), this.replicaSide.close(), this.pool.end()]);
    await this.checking;
  }

  get isInUse(): boolean {
    return this.fault === undefined;
  }

  /** Upper bound, in milliseconds, of the replica's lag at the last check. */
  get lagMs(): number {
    return this.checkedAt - this.freshAt;
  }

  /** Runs a search on one server, and on the other server if the first one fails. */
  async read<T>(onReplica: (pool: Pool) => Promise<T>, onPrimary: () => Promise<T>): Promise<T> {
    const readReplica = () => this.count('replica', onReplica(this.pool));
    const readPrimary = () => this.count('primary', onPrimary());
    if (this.isInUse) {
      return readReplica().catch((error: unknown) => {
        if (error instanceof WorkCancelled) throw error;
        // Keeps other searches from also waiting for the silent replica.
        if (isDatabaseUnavailable(error)) this.setFault('unreachable', error);
        return readPrimary();
      });
    }
    return readPrimary().catch((error: unknown) => {
      if (isDatabaseUnavailable(error) || isConnectionRejected(error)) return readReplica().catch(() => Promise.reject(error as Error));
      throw error;
    });
  }

  private async count<T>(pool: 'replica' | 'primary', read: Promise<T>): Promise<T> {
    const result = await read;
    this.reads[pool]++;
    return result;
  }

  private async checkAgainAndAgain(): Promise<void> {
    const { signal } = this.closing;
    while (!signal.aborted) {
      await this.check().catch((error: unknown) => signal.aborted || this.setFault('unreachable', error));
      await sleep(CHECK_EVERY_MS, undefined, { ref: false, signal }).catch(() => undefined);
    }
  }

  private async check(): Promise<void> {
    this.checkedAt = performance.now();
    const [primary] = await this.primarySide.query<{ position: number }>(PRIMARY_POSITION).catch(() => []);
    if (primary) await sleep(REPLAY_MS);
    const [replica] = await this.replicaSide.query<{ is_replica: boolean; position: number | null }>(REPLAYED);
    if (primary && !replica!.is_replica) return this.setFault('promoted');
    if (primary) this.compare(replica!.position!, { position: primary.position, at: this.checkedAt });
    this.setFault(primary && this.lagMs > this.maxLagMs ? 'lag' : undefined);
  }

  private compare(replayed: number, now: Mark): void {
    for (const mark of [this.mark, now]) if (mark && replayed >= mark.position) this.freshAt = mark.at;
    // The successor of a lost primary may continue from an earlier position.
    if (!this.mark || replayed >= this.mark.position || now.position < this.mark.position) this.mark = now;
  }

  private setFault(fault: Fault | undefined, error?: unknown): void {
    if (fault === this.fault) return;
    this.fault = fault;
    const reason = error === undefined ? '' : `: ${(error as Error).message}`;
    if (fault) this.logger.warn(`${FAULTS[fault]}; searches use the primary${reason}`);
    else this.logger.log('searches use the read replica');
  }
}
