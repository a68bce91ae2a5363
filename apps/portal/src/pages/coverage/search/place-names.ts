import { page } from '../../../configuration.js';
import { language } from '../../../texts.js';
import type { Place } from '../access-node.js';
import { folded, type PlaceEntry } from './folded.js';

/** A town or village of the gazetteer. */
export interface NamedPlace extends Place {
  readonly name: string;
  /** Its province and country, which tell it from others with the same name. */
  readonly within: string;
}

/** The name of a place as it stands among the suggestions. */
export const fullNameOf = ({ name, within }: NamedPlace): string => [name, within].filter(Boolean).join(', ');

/** Whether this is the place's name, or the first words of it: `Tulln` for `Tulln an der Donau`. */
export const isNamed = ({ name }: NamedPlace, text: string): boolean =>
  folded(name) === folded(text) || name.toLowerCase().startsWith(`${text.toLowerCase()} `);

const MOST = 6;

/** The places whose name begins with these letters, the largest first; what follows a comma is ignored. */
export async function placesNamed(text: string, signal: AbortSignal): Promise<readonly NamedPlace[]> {
  const wanted = folded(text.split(',')[0]!);
  if (wanted.length < 2) return [];
  // The browser's cache keeps the file, which is asked for again with each letter.
  const response = await fetch(page(`map/names/${wanted.slice(0, 2)}.json`), { signal });
  if (!response.ok) throw new Error(`Names of places: ${response.status}`);
  const entries = (await response.json()) as PlaceEntry[];
  const countries = new Intl.DisplayNames(language.value, { type: 'region' });
  const found = entries.filter(([name]) => folded(name).startsWith(wanted));
  // A place that has exactly this name comes before larger ones whose names are longer.
  const exact = found.filter(([name]) => folded(name) === wanted);
  return [...new Set([...exact, ...found])].slice(0, MOST).map(([name, province, country, latitude, longitude, german = province]) => {
    const within = [language.value === 'de' ? german : province, countries.of(country)].filter((one) => one && one !== name).join(', ');
    return { name, within, latitude, longitude };
  });
}
