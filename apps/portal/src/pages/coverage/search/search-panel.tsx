import { FILE_FORMATS, type FibreClient, OFFERS, TOKENS } from '@fibre/client';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Refusal, refusedAt } from '../../../refusal.js';
import { useLoad } from '../../../hooks/use-load.js';
import { useApp, useScope } from '../../../session/context.js';
import { formatDate } from '../../../texts.js';
import { WhenLoaded } from '../../../ui/when-loaded.js';
import { TextField, TextFilter } from '../../../ui/form/field.js';
import { FilterFields } from '../../../ui/form/filter-fields.js';
import { Section } from '../../../ui/page.js';
import { ExportButtons } from '../../../ui/transfer.js';
import {
  exportFilters,
  type Filters,
  placeOf,
  relationsBehindNodes,
  SEARCH_FILTERS,
  searchFilters,
  searchNodes,
  type SearchQuery,
  textOf,
} from '../access-node.js';
import { useCoverage } from '../coverage-state.js';
import { choicesOf, nameOf, texts } from '../coverage-texts.js';
import { connectedFilter } from '../filters-panel.js';
import type { DrawnSearch } from '../map/layers.js';
import { AddressSuggestions } from './address-suggestions.js';
import { hasMoreIn, nodesByWords } from './by-words.js';
import { fullNameOf, isNamed, placesNamed } from './place-names.js';
import { PlacesSearch } from './places-search.js';
import { readingOf } from './reading.js';
import { type FoundNode, Results } from './results.js';

/** The name of a place has no digit, unlike coordinates and the ids of addresses. */
const isName = (text: string): boolean => text !== '' && !/\d/.test(text);

interface Answer extends Pick<DrawnSearch, 'circle'> {
  readonly found: readonly FoundNode[];
  /** What was searched, and what of the text was not, in the language of the page. */
  readonly asked: () => string;
  /** What is said if there are more than the found nodes. */
  readonly more?: (() => string) | undefined;
  /** What is said if nothing was found, if it depends on what was searched. */
  readonly none?: () => string;
}

/** The nodes whose address has the words, at an address id, or else around coordinates or a place of the gazetteer. */
async function answerTo(fibre: FibreClient, query: SearchQuery, filters: Filters, signal: AbortSignal): Promise<Answer> {
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

const INPUTS = ['center', 'search_radius', 'limit'] as const;
/** Errors of the service that belong to an input: it names an id that its register cannot have. */
const FIELD_OF: Readonly<Record<string, string>> = { address_id: 'center' };

/** The search around a place or at an address, which a click on the map or an input starts; what is asked is in the page's URL. */
export function SearchPanel() {
  const t = texts();
  const { fibre } = useApp();
  const { mayRead, clicked, filters, search, revision, change, draw } = useCoverage();
  const maySearch = useScope('coverage:search');
  const [typed, setTyped] = useState(search.center);
  useEffect(() => setTyped(search.center), [search.center]);
  /** Whether addresses are suggested: while the focus is in the input or among them. */
  const [isTyping, setTyping] = useState(false);
  const choose = (center: string): void => {
    setTyping(false);
    setTyped(center);
    change({ center });
  };
  // A click before this panel was opened does not search.
  const known = useRef(clicked);
  useEffect(() => {
    if (clicked && clicked !== known.current) change({ center: textOf(clicked) });
  }, [clicked]);

  const isAsked = maySearch && search.center !== '';
  const load = async (signal: AbortSignal) => (isAsked ? answerTo(fibre, search, filters, signal) : undefined);
  const loaded = useLoad(load, JSON.stringify([isAsked, search, searchFilters(filters), revision]));
  const { data: answer, error } = loaded;
  useEffect(() => {
    if (answer) return draw({ ...answer, found: answer.found.map(({ center, quality = '' }) => ({ ...placeOf(center), quality })) });
    // What an earlier search found is no answer to this one.
    if (isAsked) draw(undefined);
  }, [answer, isAsked]);
  const relations = useLoad((signal) => (maySearch ? relationsBehindNodes(fibre, signal) : Promise.resolve(undefined)), String(maySearch));
  const places = useLoad((signal) => (isName(typed) ? placesNamed(typed, signal) : Promise.resolve([])), typed);
  const names = useId();

  const errors = new Map(error instanceof Refusal ? [...error.byField].map(([name, words]) => [FIELD_OF[name] ?? name, words]) : []);
  const isAtFields = errors.size > 0 && [...errors.keys()].every((name) => [...INPUTS, ...SEARCH_FILTERS].some((one) => one === name));
  const field = (name: keyof SearchQuery) => ({
    name,
    value: search[name],
    error: errors.get(name),
    onChange: (value: string) => change({ [name]: value }),
  });
  const { token, technology, status, available_until, connected, offer } = filters;
  const only = [
    offer && t.offers(offer),
    token && nameOf(token),
    technology,
    status && nameOf(status),
    available_until && t.availableBy(formatDate(available_until)),
    connected && t.onlyConnected(connected),
  ]
    .filter(Boolean)
    .join(', ');
  return (
    <>
      {only && <p class="fine">{t.searchFilters(only)}</p>}
      <div
        onInput={() => setTyping(true)}
        onFocusOut={({ currentTarget, relatedTarget }) => currentTarget.contains(relatedTarget as Node | null) || setTyping(false)}
        onKeyDown={({ key, target }) => (key === 'Escape' || (key === 'Enter' && target instanceof HTMLInputElement)) && setTyping(false)}
      >
        <TextField
          {...field('center')}
          label={t.place}
          hint={t.placeHint}
          list={names}
          value={typed}
          onChange={setTyped}
          onCommit={(center) => change({ center })}
        />
        <datalist id={names}>
          {places.data?.map((place) => (
            <option key={textOf(place)} value={fullNameOf(place)} />
          ))}
        </datalist>
        {maySearch && isTyping && <AddressSuggestions typed={typed} filters={filters} onChoose={choose} />}
      </div>
      <div class="filter-fields">
        <TextFilter {...field('search_radius')} label={t.radius} />
        <TextFilter {...field('limit')} label={t.limit} />
      </div>
      <FilterFields
        filters={filters}
        change={change}
        error={error}
        fields={[
          { name: 'offer', label: t.offer, options: OFFERS.map((value) => ({ value, label: t.offers(value) })) },
          // An operator has these with the list and the map.
          ...(mayRead
            ? []
            : ([
                { name: 'token', label: t.token, options: choicesOf(TOKENS) },
                { name: 'available_until', label: t.available_until, hint: t.availableUntilHint, type: 'date' },
                connectedFilter(),
              ] as const)),
        ]}
      />
      {/* What is wrong with an input is said beside it, and once. */}
      {!isAtFields && (
        <WhenLoaded loaded={loaded}>
          {({ circle, ...found }) => <Results {...found} within={circle?.metres} relations={relations.data} />}
        </WhenLoaded>
      )}
      <PlacesSearch radius={search.search_radius} />
      {maySearch && (
        <Section title={t.allNodes} why={t.allNodesHint}>
          <ExportButtons
            name="coverage"
            formats={FILE_FORMATS}
            read={(format, options) => fibre.coverage.export({ format, ...exportFilters(filters) }, options)}
          />
        </Section>
      )}
    </>
  );
}
