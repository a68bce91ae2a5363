import { EnumField, Field, IntegerParameter, NumberField, Satisfies, text } from '@fibre/dto';
import { PickType } from '@nestjs/swagger';
import { type Offer, type Status, STATUSES, type Token, TOKENS } from '../access-nodes/access-node.js';
import { AvailableUntilField, ConnectedField, OfferField } from '../access-nodes/access-node-filters.requests.js';
import { AddressIdField, TechnologyField } from '../node-rules/node-fields.js';
import { MAX_WORDS } from './address-words.sql.js';
import { type Center, CenterField } from '../geography/center.js';

/** Metres. */
const [DEFAULT_RADIUS, MAX_RADIUS] = [100, 100_000];
const [DEFAULT_LIMIT, MAX_LIMIT] = [5, 10];
/** What a search by words accepts. */
const [MIN_TEXT, MAX_TEXT] = [2, 255];
const WORD = /\p{L}[\p{L}\p{M}]*|\p{N}+/gu;
/** Allows an exponent, because programs write very small numbers with one. Any further decimals would be smaller than an atom. */
const METRES = /^\d{1,20}(\.\d{1,20})?(e[+-]?\d{1,3})?$/i;

const toMetres = (sent: unknown): unknown => (typeof sent === 'string' && METRES.test(sent) ? Number(sent) : sent);

/** Number of results. */
export const LimitParameter = (byDefault: number): PropertyDecorator =>
  IntegerParameter(1, MAX_LIMIT, { description: 'Maximum number of results.', presence: 'if-present', default: byDefault });

/** The parameters of a search, except for its center. */
export class SearchTerms {
  @NumberField(
    0,
    MAX_RADIUS,
    { description: 'Radius in metres, inclusive.', presence: 'if-present', default: DEFAULT_RADIUS, read: toMetres },
    'a number of metres',
  )
  search_radius: number = DEFAULT_RADIUS;

  @EnumField(TOKENS, { description: 'Only nodes in this stage.', presence: 'if-present' })
  token?: Token;

  @TechnologyField({ description: 'Only nodes with this technology, case-insensitive.', presence: 'if-present' })
  technology?: string;

  @EnumField(STATUSES, { description: 'Only nodes with this status; if absent, all but terminated ones.', presence: 'if-present' })
  status?: Status;

  @AvailableUntilField()
  available_until?: string;

  @ConnectedField()
  connected?: 'true' | 'false';

  @OfferField()
  offer?: Offer;
}

export class SearchQuery extends SearchTerms {
  @CenterField({ description: 'Where to search: `<latitude>, <longitude>` in decimal degrees (WGS84).' })
  center!: Center;

  @LimitParameter(DEFAULT_LIMIT)
  limit: number = DEFAULT_LIMIT;
}

export class AddressPath {
  @AddressIdField({ description: 'The address.' })
  address_id!: string;
}

export class AddressSearchQuery extends PickType(SearchTerms, ['token', 'technology', 'status', 'available_until', 'connected', 'offer']) {}

function words(value: unknown): string | undefined {
  const fault = text(MIN_TEXT, MAX_TEXT)(value);
  if (fault !== undefined) return fault;
  const count = (value as string).match(WORD)?.length ?? 0;
  if (count === 0) return 'must have a letter or digit';
  return count > MAX_WORDS ? `must have at most ${MAX_WORDS} words and numbers, but has ${count}` : undefined;
}

export class WordSearchQuery extends AddressSearchQuery {
  @Field(
    {
      description: `Words of the \`address\`, at most ${MAX_WORDS}, in any order and any spelling of their letters. Words of three letters or more, and a number at the end, may be only the beginning.`,
      example: 'haupt 5 linz',
    },
    { type: String, minLength: MIN_TEXT, maxLength: MAX_TEXT },
    Satisfies(words),
  )
  q!: string;
}
