/** Why a limit turns work away: there is no room, or it waited too long for its turn. */
export type LimitRefusal = 'full' | 'timeout';

/** There is no room for the work; nothing was done. */
export class LimitReached extends Error {
  override readonly name = 'LimitReached';

  /** @param limit the name of the limit */
  constructor(
    readonly limit: string,
    readonly reason: LimitRefusal,
  ) {
    super(`the limit on ${limit} is reached (${reason})`);
  }
}
