import { FILE_FORMATS, type FibreClient } from '@fibre/client';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Refusal, refusedAt } from '../../../api/refusal.js';
import { useLoad } from '../../../hooks/use-load.js';
import { useApp, useScope } from '../../../session/context.js';
import { formatDate } from '../../../texts.js';
import { WhenLoaded } from '../../../ui/failure.js';
import { TextField, TextFilter } from '../../../ui/form/field.js';
import { Section } from '../../../ui/page.js';
import { ExportButtons } from '../../../ui/transfer.js';
import {
  exportFilters,
  type Filters,
  placeOf,
  relationsBehindNodes,
  searchFilters,
  searchNodes,
  type SearchQuery,
  textOf,
} from '../access-node.js';
import { useCoverage } from '../coverage-state.js';
import { nameOf, texts } from '../coverage-texts.js';
import type { DrawnSearch } from '../map/layers.js';
import { centerIn } from './center-in.js';
import { fullNameOf, placesNamed } from './place-names.js';
import { PlacesSearch } from './places-search.js';
import { type FoundNode, Results } from './results.js';

/** The name of a place has no digit, unlike coordinates and the ids of addresses. */
const isName = (text: string): boolean => text !== '' && !/\d/.test(text);
/** The ids of addresses have no decimals and no separator, unlike coordinates. */
const isAddressId = (text: string): boolean => /^[^.,;]*\d[^.,;]*$/.test(text);

interface Answer extends Pick<DrawnSearch, 'circle'> {
  readonly found: readonly FoundNode[];
}

/** The nodes at an address, or else around coordinates or a place of the gazetteer. */
async function answerTo(fibre: FibreClient, query: SearchQuery, filters: Filters, signal: AbortSignal): Promise<Answer> {
  const text = query.center.trim();
  if (isAddressId(text)) return { found: await fibre.coverage.searchAddress(text, searchFilters(filters), { signal }) };
  let center = centerIn(text) ?? text;
  if (isName(text)) {
    const places = await placesNamed(text, signal);
    const place = places.find((one) => fullNameOf(one) === text) ?? places[0];
    if (!place) throw refusedAt('center', texts().noSuchPlace);
    center = textOf(place);
  }
  const found = await searchNodes(fibre, { ...query, center }, filters, signal);
  return { found, circle: { center: placeOf(center), metres: Number(query.search_radius) } };
}

/** The search around a place or at an address, which a click on the map or an input starts; what is asked is in the page's URL. */
export function SearchPanel() {
  const t = texts();
  const { fibre } = useApp();
  const { mayRead, clicked, filters, search, revision, change, draw } = useCoverage();
  const maySearch = useScope('coverage:search');
  const [typed, setTyped] = useState(search.center);
  useEffect(() => setTyped(search.center), [search.center]);
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
    if (answer) draw({ ...answer, found: answer.found.map(({ center, quality = '' }) => ({ ...placeOf(center), quality })) });
  }, [answer]);
  const relations = useLoad((signal) => (maySearch ? relationsBehindNodes(fibre, signal) : Promise.resolve(undefined)), String(maySearch));
  const places = useLoad((signal) => (isName(typed) ? placesNamed(typed, signal) : Promise.resolve([])), typed);
  const names = useId();

  const field = (name: keyof SearchQuery) => ({
    name,
    value: search[name],
    error: error instanceof Refusal ? error.byField.get(name) : undefined,
    onChange: (value: string) => change({ [name]: value }),
  });
  const { token, technology, status, available_until } = filters;
  const only = [token && nameOf(token), technology, status && nameOf(status), available_until && t.availableBy(formatDate(available_until))]
    .filter(Boolean)
    .join(', ');
  return (
    <>
      {!mayRead && <p class="fine">{t.noTiles}</p>}
      {only && <p class="fine">{t.searchFilters(only)}</p>}
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
      <div class="filter-fields">
        <TextFilter {...field('search_radius')} label={t.radius} />
        <TextFilter {...field('limit')} label={t.limit} />
      </div>
      <WhenLoaded loaded={loaded}>
        {({ found, circle }) => <Results found={found} within={circle?.metres} relations={relations.data} />}
      </WhenLoaded>
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
