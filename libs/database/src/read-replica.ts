import { Logger } from '@nestjs/common';
import type { Client, Pool, PoolClient, PoolConfig } from 'pg';
import { connectionLimits, type DataSourceSettings } from './data-source.js';
import { DeadlinePool } from './deadline-pool.js';
import { DEADLOCK_DETECTED, isConnectionRejected, isDatabaseUnavailable, SERIALIZATION_FAILURE, sqlState } from './database-errors.js';
import { withinDeadline, WorkCancelled } from './deadline.js';
import { askUntil, REPLAYED, type Replayed } from './replayed.js';
import { ReplicaWatch } from './replica-watch.js';
import { ANSWER_WITHIN_MS } from './side-connection.js';
import type { Run } from './statement.js';

/** Seconds that a replica may be behind where nothing else is said. */
const MAX_LAG_SECONDS = 10;

/** What pg's pool says when none of its connections was free in time. */
const ALL_BUSY = 'timeout exceeded when trying to connect';

/** Why a read was answered, and by whom. */
const ANSWERED_BY = {
  current: 'replica',
  'primary-away': 'replica',
  behind: 'primary',
  lag: 'primary',
  promoted: 'primary',
  unreachable: 'primary',
  busy: 'primary',
  conflict: 'primary',
  'position-unknown': 'primary',
} as const;
type Reason = keyof typeof ANSWERED_BY;
const REASONS = Object.keys(ANSWERED_BY) as Reason[];
/** A replica gives up a statement that stands in the way of what it has to replay. */
const CONFLICTS = new Set([SERIALIZATION_FAILURE, DEADLOCK_DETECTED]);

/** Reads that ended alike. */
export interface ReplicaReads {
  /** Who answered. */
  readonly pool: 'primary' | 'replica';
  /** See docs/operations.md. */
  readonly reason: Reason;
  readonly count: number;
}

/** A replica at this moment. */
export interface ReplicaState {
  readonly inUse: boolean;
  readonly lagSeconds: number;
  readonly reads: readonly ReplicaReads[];
}

/** What a service says about its replica, and what is known of its database. */
export interface ReplicaSettings extends DataSourceSettings {
  /** A replica that is farther behind is not used, and while the primary is away no answer is older. Default 10. */
  replicaMaxLagSeconds?: number;
}

/** Has to pass before a connection of the replica runs a statement; `run` runs others on it. */
export type Check = (run: Run, connection: object) => Promise<void>;
type OnReplica<T> = (check: Check) => Promise<T>;

class NotByReplica extends Error {
  constructor(readonly reason: Reason) {
    super(reason);
  }
}

/**
 * A streaming replica that answers a read when it has replayed all that was acknowledged before the read began. It is never needed:
 * nothing waits for it at the start, and what it cannot answer the primary does.
 *
 * Not by TypeORM's `replication`, which does not start without its replicas, has no way back to the primary and does not know how old an answer is.
 */
export class ReadReplica {
  /** Connects when it is first used. */
  readonly pool: Pool;
  private readonly watch: ReplicaWatch;
  /** How far the server of a connection had replayed: for as long as the connection stands, that only grows. */
  private readonly replayed = new WeakMap<object, number>();
  private readonly connections = new Set<PoolClient>();
  private readonly counts = new Map(REASONS.map((reason) => [reason, 0]));

  constructor(url: string, settings: ReplicaSettings) {
    const { poolSize, applicationName, replicaMaxLagSeconds = MAX_LAG_SECONDS } = settings;
    const logger = new Logger('Database');
    const common: PoolConfig = { application_name: applicationName, ...connectionLimits(settings) };
    // There is another server to turn to, so nobody waits for long.
    this.pool = new DeadlinePool({ ...common, connectionString: url, max: poolSize, connectionTimeoutMillis: ANSWER_WITHIN_MS });
    this.pool.on('error', (error) => {
      if (this.watch.fault !== 'unreachable') logger.warn(`an idle connection to the read replica was lost: ${error.message}`);
    });
    this.pool.on('connect', (connection) => this.connections.add(connection));
    this.pool.on('remove', (connection) => this.connections.delete(connection));
    this.watch = new ReplicaWatch({
      primary: { ...common, connectionString: settings.url },
      replica: { ...common, connectionString: url },
      maxLagMs: replicaMaxLagSeconds * 1_000,
      onLost: () => this.breakConnections(),
    });
  }

  onModuleInit(): void {
    this.watch.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.watch.close(), this.pool.end()]);
  }

  get state(): ReplicaState {
    const reads = REASONS.map((reason) => ({ pool: ANSWERED_BY[reason], reason, count: this.counts.get(reason)! }));
    return { inUse: this.watch.fault === undefined, lagSeconds: this.watch.lagMs / 1_000, reads };
  }

  /** Answers a read: from the replica if that has everything, else from the primary; when the primary is down from what the replica has. */
  async answer<T>(onReplica: OnReplica<T>, onPrimary: () => Promise<T>): Promise<T> {
    let instead: Reason;
    try {
      const answer = await this.withEverything(onReplica);
      this.count('current');
      return answer;
    } catch (error) {
      instead = this.blame(error);
    }
    try {
      const answer = await onPrimary();
      this.count(instead);
      return answer;
    } catch (error) {
      if (!isDatabaseUnavailable(error) || instead === 'unreachable') throw error;
      const answer = await this.withoutPrimary(onReplica).catch(() => Promise.reject(error as Error));
      this.count('primary-away');
      return answer;
    }
  }

  private async withEverything<T>(onReplica: OnReplica<T>): Promise<T> {
    this.refuseIfFaulty();
    const position = await withinDeadline(this.watch.primaryPosition()).catch((error: unknown) => {
      throw error instanceof WorkCancelled ? error : new NotByReplica('position-unknown');
    });
    return onReplica(async (...given) => {
      // It may have waited for its connection.
      this.refuseIfFaulty();
      await this.check(position, ...given);
    });
  }

  private async withoutPrimary<T>(onReplica: OnReplica<T>): Promise<T> {
    const position = await withinDeadline(this.watch.positionInstead());
    if (position === undefined) throw new NotByReplica('lag');
    return onReplica((...given) => this.check(position, ...given));
  }

  private refuseIfFaulty(): void {
    if (this.watch.fault) throw new NotByReplica(this.watch.fault);
  }

  /** On the connection of the read: behind one address there may be several replicas, and one that crashed begins anew farther back. */
  private async check(position: number, run: Run, connection: object): Promise<void> {
    if ((this.replayed.get(connection) ?? -1) >= position) return;
    const replayed = await askUntil(position, async () => (await run<Replayed>(REPLAYED))[0]!);
    const fault = !replayed.is_replica ? 'promoted' : replayed.position! < position ? 'behind' : undefined;
    if (fault) {
      this.watch.turn(fault);
      throw new NotByReplica(fault);
    }
    this.replayed.set(connection, replayed.position!);
  }

  /** Why the primary has to answer; throws what is no fault of the replica. */
  private blame(error: unknown): Reason {
    if (error instanceof NotByReplica) return error.reason;
    if (CONFLICTS.has(sqlState(error) ?? '')) return 'conflict';
    if ((error as Error).message === ALL_BUSY) return 'busy';
    if (!isDatabaseUnavailable(error) && !isConnectionRejected(error)) throw error;
    this.watch.turn('unreachable', error);
    return 'unreachable';
  }

  /**
   * Who waits for an answer would do so until the deadline of the request, and then the primary has no time left. Idle connections go too: when
   * the network works again it has forgotten them, and the next to use one would wait as long.
   */
  private breakConnections(): void {
    for (const client of this.connections) (client as unknown as Client).connection.stream.destroy();
  }

  private count(reason: Reason): void {
    this.counts.set(reason, this.counts.get(reason)! + 1);
  }
}
