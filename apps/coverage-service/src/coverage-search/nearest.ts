import { type Ecef, groundMetres, leastGroundMetres } from '../geography/geodesy.js';

/** The fields of a candidate that ranking needs. */
export interface Candidate {
  readonly node_id: string;
  readonly position: Ecef;
  /** Straight-line distance to the origin in metres. */
  readonly straight: number;
}

export interface Ranked<T> {
  readonly candidate: T;
  /** Metres along the ground. */
  readonly distance: number;
}

/** Distances that differ by less than this count as equal: a micrometre. */
export const SAME_METRES = 1e-6;

/**
 * The nearest candidates along the ground, nearest first; ties are ordered by node_id.
 *
 * @param candidates the nearest nodes in a straight line, in order of that distance; ties are ordered by node_id
 * @param complete whether `candidates` contains every node that needs to be considered
 * @returns `undefined` if a node that is not in `candidates` might be nearer along the ground than the last result: the ellipsoid's
 *   curvature depends on place and direction, which makes a difference of 12 mm at 100 km
 */
export function nearest<T extends Candidate>(
  origin: Ecef,
  candidates: readonly T[],
  complete: boolean,
  limit: number,
  radius: number,
): Ranked<T>[] | undefined {
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: groundMetres(origin, candidate.position) }))
    .filter(({ distance }) => distance <= radius)
    .sort((a, b) => a.distance - b.distance || (a.candidate.node_id < b.candidate.node_id ? -1 : 1))
    .slice(0, limit);
  if (complete) return ranked;
  const bound = ranked.length === limit ? ranked.at(-1)!.distance : radius;
  return leastGroundMetres(candidates.at(-1)!.straight) >= bound - SAME_METRES ? ranked : undefined;
}
