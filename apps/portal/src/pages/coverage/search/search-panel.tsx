import { FILE_FORMATS, OFFERS, TOKENS } from '@fibre/client';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Refusal } from '../../../refusal.js';
import { useLoad } from '../../../hooks/use-load.js';
import { useApp, useScope } from '../../../session/context.js';
import { formatDate } from '../../../texts.js';
import { WhenLoaded } from '../../../ui/when-loaded.js';
import { TextField, TextFilter } from '../../../ui/form/field.js';
import { FilterFields } from '../../../ui/form/filter-fields.js';
import { Section } from '../../../ui/page.js';
import { ExportButtons } from '../../../ui/transfer.js';
import { exportFilters, placeOf, relationsBehindNodes, SEARCH_FILTERS, searchFilters, type SearchQuery, textOf } from '../access-node.js';
import { useCoverage } from '../coverage-state.js';
import { choicesOf, nameOf, texts as coverageTexts } from '../coverage-texts.js';
import { connectedFilter } from '../filters-panel.js';
import { AddressSuggestions } from './address-suggestions.js';
import { answerTo } from './answer.js';
import { fullNameOf, placesNamed } from './place-names.js';
import { PlacesSearch } from './places-search.js';
import { Results } from './results.js';
import { texts } from './search-texts.js';

/** The name of a place has no digit, unlike coordinates and the ids of addresses. */
const isName = (text: string): boolean => text !== '' && !/\d/.test(text);

const INPUTS = ['center', 'search_radius', 'limit'] as const;
/** Errors of the service that belong to an input: it names an id that its register cannot have. */
const FIELD_OF: Readonly<Record<string, string>> = { address_id: 'center' };

/** The search around a place or at an address, which a click on the map or an input starts; what is asked is in the page's URL. */
export function SearchPanel() {
  const t = { ...coverageTexts(), ...texts() };
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
