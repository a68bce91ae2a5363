import type { FibreClient } from '@fibre/client';
import { refusedAt } from '../../../refusal.js';
import { type Filters, placeOf, searchFilters, searchNodes, type SearchQuery, textOf } from '../access-node.js';
import type { DrawnSearch } from '../map/style/drawn-search.js';
import { hasMoreIn, nodesByWords } from './by-words.js';
import { fullNameOf, isNamed, placesNamed } from './place-names.js';
import { readingOf } from './reading.js';
import type { FoundNode } from './results.js';
import { texts } from './search-texts.js';

export interface Answer extends Pick<DrawnSearch, 'circle'> {
  readonly found: readonly FoundNode[];
  /** What was searched, and what of the text was not, in the language of the page. */
  readonly asked: () => string;
  /** What is said if there are more than the found nodes. */
  readonly more?: (() => string) | undefined;
  /** What is said if nothing was found, if it depends on what was searched. */
  readonly none?: () => string;
}

/** The nodes whose address has the words, at an address id, or else around coordinates or a place of the gazetteer. */
export async function answerTo(fibre: FibreClient, query: SearchQuery, filters: Filters, signal: AbortSignal): Promise<Answer> {
  const asked = searchFilters(filters);
  const around = async (center: string, what: () => string): Promise<Answer> => {
    const found = await searchNodes(fibre, { ...query, center }, filters, signal);
    return { found, asked: what, circle: { center: placeOf(center), metres: Number(query.search_radius) } };
  };
  const byId = async (id: string): Promise<Answer> => {
    const none = () => (Object.keys(asked).length === 0 ? texts().noSuchId(id) : texts().noSuchIdFiltered(id));
    const { data: found, response } = await fibre.coverage.searchAddress(id, asked, { signal }).withResponse();
    return { found, ...(hasMoreIn(response) && { more: () => texts().moreAtAddress }), asked: () => texts().searchedId(id), none };
  };
  const text = query.center.trim();
  const byWords = async (none: () => string): Promise<Answer> => {
    const { found, hasMore } = await nodesByWords(fibre, text, asked, signal);
    return { found, ...(hasMore && { more: () => texts().moreByWords }), asked: () => texts().searchedWords(text), none };
  };
  /** By an id, or by words if nothing has the id. */
  const byIdOrWords = async (none?: () => string): Promise<Answer> => {
    const nodes = await byId(text);
    if (nodes.found.length > 0) return nodes;
    const others = await byWords(() => '');
    return others.found.length > 0 ? others : { ...nodes, ...(none && { none }) };
  };
  const reading = readingOf(text);
  if (reading.kind === 'coordinate') return around(reading.center, () => texts().searchedCenter(reading.center));
  if (reading.kind === 'address') return byIdOrWords();
  if (reading.kind === 'street') return byWords(() => texts().noSuchStreet(text));
  const { name, hasStreet, mayBeId } = reading;
  if (hasStreet) {
    const nodes = await byWords(() => '');
    if (nodes.found.length > 0) return nodes;
  }
  const places = await placesNamed(name, signal);
  // Among other words, only what has the name of a town is one; a name alone may be unfinished.
  const candidates = name === text ? places : places.filter((place) => isNamed(place, name));
  const place = candidates.find((one) => fullNameOf(one) === name) ?? candidates[0];
  if (place) {
    const what = (): string => [texts().searchedTown(fullNameOf(place)), hasStreet && texts().streetIgnored].filter(Boolean).join(' ');
    return around(textOf(place), what);
  }
  if (mayBeId) return byIdOrWords(() => texts().noSuchTownOrId(name, text));
  const nodes = await byWords(() => '');
  if (nodes.found.length > 0) return nodes;
  throw refusedAt('center', name === text ? texts().noSuchPlace : texts().noSuchTown(name));
}
