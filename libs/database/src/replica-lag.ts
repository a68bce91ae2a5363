/** Milliseconds between two samples that are kept: who needs the lag in seconds needs no more of them. */
const SAMPLE_EVERY_MS = 1_000;
/** Of a replica that stands still for longer than these reach, the lag goes on growing; only how it shrinks again is seen late. */
const MAX_SAMPLES = 3_600;

/** A moment (milliseconds), and a position in the log that was not passed yet. */
interface Sample {
  readonly at: number;
  readonly position: number;
}

/**
 * How old what a replica shows may be, by where the log of its primary was when. A primary that writes nothing makes no lag; one that is
 * away does, for nobody knows what it has written since.
 */
export class ReplicaLag {
  /** Oldest first, the last one of now. The replica has replayed the first one or, at the beginning, none. */
  private readonly samples: Sample[] = [];

  /** At this moment the log of the primary was no further than this. */
  primaryAt(position: number, at: number): void {
    const { samples } = this;
    // The successor of a lost primary goes on from where it had got to.
    while (samples.length > 0 && samples.at(-1)!.position > position) samples.pop();
    const [before, last] = samples.slice(-2);
    if (before && last && (last.at - before.at < SAMPLE_EVERY_MS || samples.length === MAX_SAMPLES)) samples.pop();
    samples.push({ at, position });
  }

  /** The replica has replayed the log up to here. */
  replicaAt(position: number): void {
    while (this.samples.length > 1 && this.samples[1]!.position <= position) this.samples.shift();
  }

  /** Milliseconds, at most: the replica has all that the primary had acknowledged so long before `now`. */
  at(now: number): number {
    const [replayed] = this.samples;
    return replayed ? Math.max(0, now - replayed.at) : 0;
  }

  /** What a replica has to have replayed to show nothing older than `time`; `undefined` when nobody knows. */
  positionAt(time: number): number | undefined {
    return this.samples.find(({ at }) => at >= time)?.position;
  }
}
