import { centerIn } from './center-in.js';

/** What a text asks for: a coordinate, a town of the gazetteer, or a node by the id of its address. */
export type Reading =
  | { readonly kind: 'coordinate'; readonly center: string }
  | { readonly kind: 'address'; readonly id: string }
  | {
      readonly kind: 'town';
      readonly name: string;
      /** Whether the text also names a street, which the gazetteer does not have. */
      readonly hasStreet: boolean;
      /** Whether the whole text may be the id of an address too. */
      readonly mayBeId: boolean;
    }
  /** A street without a town. */
  | { readonly kind: 'street' };

const NUMBER = /^-?\d+(?:[.,]\d+)?$/;
const POSTCODE = /^\d{4,5}$/;
const POSTCODE_AND_TOWN = /^(?:\p{Lu}{1,2}-)?\d{4,5}\s+(\D*\p{L}\D*)$/u;
const ENDS_WITH_POSTCODE_AND_TOWN = /^(.*\S)\s+((?:\p{Lu}{1,2}-)?\d{4,5}\s+\D*\p{L}\D*)$/u;
const STREET = /(?:stra(?:ß|ss)e|str\.|gasse|weg|platz|allee|\bring|ufer|promenade|\b(?:street|road|avenue|lane|square))(?=$|[\s\d,.])/iu;
/** A street with its number, and the town after or before it. */
const STREET_THEN_TOWN = /^.*?\d+\s?\p{L}?(?:[/-]\d+)*\s+(\p{L}\D+)$/u;
/** How the name of a street may begin. */
const STREET_BEGINS = /^(?:am|an|im|in|auf|zum|zur|der|die|das|dem|den|alte[rns]?|neue[rns]?|obere[rns]?|untere[rns]?|\s)+$/iu;
const TOWN_THEN_STREET = /^(\p{L}[\p{L} .-]*?)\s+\S*$/u;

/** The name of a town without a remark in brackets. */
const nameOf = (town: string): string => town.replace(/\s*\([^()]*\)\s*$/, '').trim();

/** Reads the text of a search. A coordinate is a pair of numbers; a town may have a postcode and a street; all else with a digit is the id of an address. */
export function readingOf(typed: string): Reading {
  const text = typed.trim();
  const center = centerIn(text);
  if (center !== undefined) return { kind: 'coordinate', center };
  const postal = POSTCODE_AND_TOWN.exec(text);
  if (postal && !text.includes(',')) return { kind: 'town', name: nameOf(postal[1]!), hasStreet: false, mayBeId: true };
  const parts = text
    .split(/[,;]/)
    .map((part) => part.trim())
    .filter(Boolean);
  const hasStreet = parts.some((part) => STREET.test(part));
  // The service says what is wrong with it.
  if (!hasStreet && parts.length > 1 && parts.some((part) => NUMBER.test(part) && !POSTCODE.test(part)))
    return { kind: 'coordinate', center: text };
  const isAddress = hasStreet || parts.some((part) => /\d/.test(part));
  // The name of a town, which its province and country may follow, as in the suggestions.
  if (!isAddress) return { kind: 'town', name: text, hasStreet: false, mayBeId: false };
  if (!hasStreet && parts.length < 2 && !ENDS_WITH_POSTCODE_AND_TOWN.test(text)) return { kind: 'address', id: text };
  const name = townIn(parts);
  const isMore = parts.some((part) => /\d/.test(part) && !POSTCODE.test(part) && !POSTCODE_AND_TOWN.test(part));
  if (name !== undefined) return { kind: 'town', name, hasStreet: hasStreet || isMore, mayBeId: parts.length === 1 };
  return hasStreet ? { kind: 'street' } : { kind: 'address', id: text };
}

/** The town in the parts of an address: what has a postcode, or else the first part that is no street, or else what stands beside the street. */
function townIn(parts: readonly string[]): string | undefined {
  for (const part of parts) {
    const town = POSTCODE_AND_TOWN.exec(part) ?? POSTCODE_AND_TOWN.exec(ENDS_WITH_POSTCODE_AND_TOWN.exec(part)?.[2] ?? '');
    if (town) return nameOf(town[1]!);
  }
  const named = parts.find((part) => !/\d/.test(part) && !STREET.test(part));
  if (named !== undefined) return named;
  for (const part of parts) {
    const after = STREET_THEN_TOWN.exec(part)?.[1];
    if (after !== undefined && !STREET.test(after)) return after.trim();
    const street = STREET.exec(part);
    const before = street && TOWN_THEN_STREET.exec(part.slice(0, street.index))?.[1];
    if (before && !STREET_BEGINS.test(before)) return before.trim();
  }
  return undefined;
}
