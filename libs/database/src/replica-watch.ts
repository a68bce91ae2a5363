import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { PoolConfig } from 'pg';
import { PrimaryPosition } from './primary-position.js';
import { askUntil, REPLAYED, type Replayed } from './replayed.js';
import { ReplicaLag } from './replica-lag.js';
import { SideConnection } from './side-connection.js';

/** Milliseconds between two looks at a replica. */
const LOOK_EVERY_MS = 1_000;

/** Why a replica is not used. */
export type Fault = 'behind' | 'lag' | 'promoted' | 'unreachable';

/** Behind for a moment is nothing to report: the metrics count it. */
const IN_WORDS: Record<Fault, string | undefined> = {
  behind: undefined,
  lag: 'the read replica is too far behind',
  promoted: 'the read replica is a primary now',
  unreachable: 'the read replica does not answer',
};

/** How the two servers are connected to, and the bound on the lag. */
export interface Watched {
  readonly primary: PoolConfig;
  readonly replica: PoolConfig;
  readonly maxLagMs: number;
  /** Is called when the replica is found not to answer any more. */
  readonly onLost: () => void;
}

/** Looks at a replica every second: whether it is one, how far it is behind its primary, and when it can be used again. */
export class ReplicaWatch {
  private readonly logger = new Logger('Database');
  private readonly lag = new ReplicaLag();
  private readonly primary: SideConnection;
  private readonly replica: SideConnection;
  private readonly position: PrimaryPosition;
  private readonly maxLagMs: number;
  private readonly onLost: () => void;
  private readonly closing = new AbortController();
  private looking: Promise<void> | undefined;
  private lookedAt = performance.now();
  private current: Fault | undefined;

  constructor({ primary, replica, maxLagMs, onLost }: Watched) {
    this.primary = new SideConnection(primary);
    this.replica = new SideConnection(replica);
    this.maxLagMs = maxLagMs;
    this.onLost = onLost;
    this.position = new PrimaryPosition(this.primary, (position, at) => this.lag.primaryAt(position, at));
  }

  /** Why the replica is not used at present. */
  get fault(): Fault | undefined {
    return this.current;
  }

  /** Milliseconds that the replica was behind when it was last looked at. */
  get lagMs(): number {
    return this.lag.at(this.lookedAt);
  }

  start(): void {
    this.looking ??= this.lookOnAndOn();
  }

  /** How far the log of the primary is; throws when that one does not answer. */
  primaryPosition(): Promise<number> {
    return this.position.ask();
  }

  /** What a replica has to have replayed to stand in for its primary; `undefined` while that one answers, and when nobody can tell. */
  async positionInstead(): Promise<number | undefined> {
    const isThere = await this.position.ask().then(
      () => true,
      () => false,
    );
    return isThere ? undefined : this.lag.positionAt(performance.now() - this.maxLagMs);
  }

  /** A read met this fault, or a look; or a look found the replica well. Until the next look all reads believe it. */
  turn(fault: Fault | undefined, error?: unknown): void {
    const [was, is] = [this.current, fault].map((one) => one && IN_WORDS[one]);
    this.current = fault;
    if (is === was) return;
    if (fault === 'unreachable') this.onLost();
    if (is) this.logger.warn([`${is}, the primary answers`, ...(error ? [(error as Error).message] : [])].join(': '));
    else this.logger.log('the read replica is used again');
  }

  async close(): Promise<void> {
    this.closing.abort();
    await Promise.all([this.primary.close(), this.replica.close()]);
    await this.looking;
  }

  private async lookOnAndOn(): Promise<void> {
    const { signal } = this.closing;
    while (!signal.aborted) {
      await this.look();
      await sleep(LOOK_EVERY_MS, undefined, { ref: false, signal }).catch(() => undefined);
    }
  }

  private async look(): Promise<void> {
    this.lookedAt = performance.now();
    // One that stands in for a primary that is away is as far as can be.
    const position = await this.primaryPosition().catch(() => 0);
    try {
      const replayed = await askUntil(position, async () => (await this.replica.query<Replayed>(REPLAYED.text))[0]!);
      this.turn(this.judge(replayed, position));
    } catch (error) {
      if (!this.closing.signal.aborted) this.turn('unreachable', error);
    }
  }

  private judge(replayed: Replayed, position: number): Fault | undefined {
    if (!replayed.is_replica) return 'promoted';
    this.lag.replicaAt(replayed.position!);
    if (this.lagMs > this.maxLagMs) return 'lag';
    return replayed.position! < position ? 'behind' : undefined;
  }
}
