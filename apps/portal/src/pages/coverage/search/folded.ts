/** A name as it is compared: without accents, case and anything but letters; `St.` is `Sankt`. */
export const folded = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/^st\.?\s/, 'sankt ')
    .replaceAll(/[^a-z]/g, '');

/** The first two letters of a folded name are the key of the file that lists it. */
export const KEY_LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/** A place in such a file; the German name of its province is only there if it is another. */
export type PlaceEntry = readonly [name: string, province: string, country: string, latitude: number, longitude: number, german?: string];
