import { FILE_FORMATS } from '@fibre/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { refusedAt } from '../../../api/refusal.js';
import { useLoad } from '../../../hooks/use-load.js';
import { useApp, useScope } from '../../../session/context.js';
import { formatDate } from '../../../texts.js';
import { TextField } from '../../../ui/form/field.js';
import { Section } from '../../../ui/page.js';
import { ExportButtons } from '../../../ui/transfer.js';
import { Form, useForm } from '../../../ui/form/form.js';
import { exportFilters, type Place, placeOf, relationsBehindNodes, searchNodes, type SearchQuery, textOf } from '../access-node.js';
import { DEFAULT_SEARCH, useCoverage } from '../coverage-state.js';
import { nameOf, texts } from '../coverage-texts.js';
import { AddressSearch } from './address-search.js';
import { withDecimalPoints } from './decimal-comma.js';
import { placesNamed } from './place-names.js';
import { PlacesSearch } from './places-search.js';
import { type FoundNode, Results } from './results.js';

/** The name of a place begins with a letter, unlike coordinates. */
const NAME = /^\s*\p{L}/u;

/** The search around a place, started by a click on the map, by the name of a place or from the form. */
export function SearchPanel() {
  const t = texts();
  const { fibre } = useApp();
  const { mayRead, clicked, filters, search: asked = DEFAULT_SEARCH, revision, change, draw } = useCoverage();
  const maySearch = useScope('coverage:search');
  const [results, setResults] = useState<{ found: readonly FoundNode[]; radius: string }>();
  /** What was last entered; the radius is also that of the file of addresses. */
  const [entered, setEntered] = useState({ search_radius: asked.search_radius, limit: asked.limit });
  const { token, technology, status, available_until } = filters;
  /** What a search depends on besides the place. */
  const keyOf = (values: typeof entered): string => JSON.stringify([values, token, technology, status, available_until, revision]);
  const tried = useRef('');
  const search = async (query: SearchQuery): Promise<void> => {
    const { search_radius, limit } = query;
    let center = withDecimalPoints(query.center) ?? query.center;
    tried.current = keyOf({ search_radius, limit });
    setEntered({ search_radius, limit });
    if (NAME.test(center)) {
      const [place] = await placesNamed(center, new AbortController().signal);
      if (!place) throw refusedAt('center', t.noSuchPlace);
      center = textOf(place);
    }
    form.set('center', center);
    const found = await searchNodes(fibre, { ...query, center }, filters);
    setResults({ found, radius: search_radius });
    draw({
      circle: { center: placeOf(center), metres: Number(search_radius) },
      found: found.map(({ center: at, quality }) => ({ ...placeOf(at), quality })),
    });
    change({ ...query, center, panel: 'search' });
  };
  const form = useForm({ initial: { ...asked }, required: ['center', 'search_radius', 'limit'], isLasting: false, save: search });
  const searchAt = (place: Place): void => {
    const center = textOf(place);
    form.set('center', center);
    void form.run(() => search({ ...form.values, center }));
  };
  // Another radius, number of results or filter applies at once, and so does a change of the nodes, after a search that is still running.
  useEffect(() => {
    if (!maySearch || asked.center === '' || form.isSaving || tried.current === keyOf(entered)) return;
    void form.run(() => search({ ...form.values, ...entered }));
  }, [keyOf(entered), form.isSaving]);
  // A click on the map sets the center and searches with the rest of the form; a click before this panel was opened does not.
  const known = useRef(clicked);
  useEffect(() => {
    if (clicked && clicked !== known.current) searchAt(clicked);
  }, [clicked]);
  const enter = (values: Partial<typeof entered>): void => setEntered((before) => ({ ...before, ...values }));

  const relations = useLoad((signal) => (maySearch ? relationsBehindNodes(fibre, signal) : Promise.resolve(undefined)), String(maySearch));
  const typed = form.values.center;
  const places = useLoad((signal) => (NAME.test(typed) ? placesNamed(typed, signal) : Promise.resolve([])), typed);
  const only = [token && nameOf(token), technology, status && nameOf(status), available_until && t.availableBy(formatDate(available_until))]
    .filter(Boolean)
    .join(', ');
  return (
    <>
      <p class="fine">{t.searchHint}</p>
      {!mayRead && <p class="fine">{t.noTiles}</p>}
      {only && <p class="fine">{t.searchFilters(only)}</p>}
      <Form form={form} submitLabel={t.doSearch} isOff={!maySearch}>
        <TextField {...form.field('center')} label={t.place} hint={t.placeHint} />
        {places.data && places.data.length > 0 && (
          <ul class="place-names" aria-label={t.places}>
            {places.data.map((place) => (
              <li key={textOf(place)}>
                <button type="button" class="quiet" onClick={() => searchAt(place)}>
                  <strong>{place.name}</strong> <span class="fine">{place.within}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
        <div class="filter-fields">
          <TextField {...form.field('search_radius')} label={t.radius} onCommit={(search_radius) => enter({ search_radius })} />
          <TextField {...form.field('limit')} label={t.limit} onCommit={(limit) => enter({ limit })} />
        </div>
      </Form>
      {results && <Results label={t.search} found={results.found} within={results.radius} none={t.foundNone} relations={relations.data} />}
      <PlacesSearch radius={entered.search_radius} />
      <AddressSearch relations={relations.data} />
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
