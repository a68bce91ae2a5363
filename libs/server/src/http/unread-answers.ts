import type { ServerResponse } from 'node:http';

/** Milliseconds that any client may take before its answer can be given up for the sake of others. */
const PATIENCE_MS = 1_000;

/** Limits on answers that are made and not yet read. */
export interface UnreadLimits {
  readonly maxBytes: number;
  /** Milliseconds without progress after which a connection is cut. */
  readonly stallMs: number;
}

/** Answers that wait in memory because their clients read slowly: cut when they stand still, and when there are too many. */
export class UnreadAnswers {
  private readonly answers = new Map<ServerResponse, { readonly bytes: number; readonly since: number }>();
  private sum = 0;

  constructor(
    private readonly limits: UnreadLimits,
    private readonly onCut: () => void,
  ) {}

  get bytes(): number {
    return this.sum;
  }

  /** To be called when all of an answer has been handed over. */
  watch(response: ServerResponse): void {
    const bytes = response.writableLength;
    const { socket } = response.req;
    if (bytes === 0 || socket.destroyed || this.answers.has(response)) return;
    this.answers.set(response, { bytes, since: performance.now() });
    this.sum += bytes;
    const forget = (): void => {
      if (this.answers.delete(response)) this.sum -= bytes;
      socket.off('close', forget);
    };
    response.once('close', forget);
    // An answer that stands behind another one on its connection is not told.
    socket.once('close', forget);
    // Node counts every byte that goes out as progress, and sets the time-out of an idle connection once the answer is out.
    response.setTimeout(this.limits.stallMs);
    response.once('timeout', () => this.cut(response));
    this.isFull();
  }

  /** Whether there is no room for another answer, even after those that wait longest have been given up. */
  isFull(): boolean {
    if (this.sum <= this.limits.maxBytes) return false;
    const patientSince = performance.now() - PATIENCE_MS;
    let excess = this.sum - this.limits.maxBytes;
    for (const [response, { bytes, since }] of this.answers) {
      if (excess <= 0) return false;
      if (since > patientSince) return true;
      excess -= bytes;
      this.cut(response);
    }
    return excess > 0;
  }

  private cut(response: ServerResponse): void {
    this.onCut();
    response.req.socket.destroy();
  }
}
