import { useEffect, useRef } from 'preact/hooks';
import { useScope } from '../../../session/context.js';
import { formatNumber } from '../../../texts.js';
import { TextField } from '../../../ui/form/field.js';
import { Form } from '../../../ui/form/form.js';
import { useForm } from '../../../ui/form/use-form.js';
import { WhenLoaded } from '../../../ui/when-loaded.js';
import type { Loaded } from '../../../hooks/use-load.js';
import { type Place, placeOf, type SearchQuery, type SearchResult, textOf } from '../access-node.js';
import { DEFAULT_SEARCH, useCoverage } from '../coverage-state.js';
import { nameOf, texts } from '../coverage-texts.js';
import type { DrawnSearch } from '../map/layers.js';
import { Stage } from '../stage.js';
import { PlacesSearch } from './places-search.js';
import { withDecimalPoints } from './decimal-comma.js';

type Values = Record<keyof SearchQuery, string>;

/** The search around a place, with a click on the map or with the form. */
export function SearchPanel(props: {
  results: Loaded<SearchResult[] | undefined>;
  onSearch: (query: SearchQuery) => Promise<void>;
  onShow: (place: Place) => void;
  onPlaces: (found: DrawnSearch) => void;
}) {
  const t = texts();
  const { clicked, filters, search: asked } = useCoverage();
  const maySearch = useScope('coverage:search');
  const search = ({ center, search_radius, limit }: Values): Promise<void> =>
    props.onSearch({ center: center.trim(), search_radius: search_radius.trim(), limit: limit.trim() });
  const form = useForm<Values>({
    initial: { ...(asked ?? DEFAULT_SEARCH) },
    required: ['center', 'search_radius', 'limit'],
    isLasting: false,
    save: search,
  });
  // A click on the map sets the center and searches with the rest of the form; a click before this panel was opened does not.
  const known = useRef(clicked);
  useEffect(() => {
    if (!clicked || clicked === known.current) return;
    known.current = clicked;
    const center = textOf(clicked);
    form.set('center', center);
    void form.run(() => search({ ...form.values, center }));
  }, [clicked]);

  const meant = withDecimalPoints(form.values.center);
  const { token, technology, status } = filters;
  const only = [token && nameOf(token), technology, status && nameOf(status)].filter(Boolean).join(', ');
  return (
    <>
      <p class="fine">{t.searchHint}</p>
      {only && <p class="fine">{t.searchFilters(only)}</p>}
      <Form form={form} submitLabel={t.doSearch} isOff={!maySearch}>
        <TextField form={form} name="center" label={t.center} hint={t.centerHint} />
        {meant !== undefined && (
          <div class="notice">
            <p>{t.decimalComma(meant)}</p>
            <button type="button" class="small" onClick={() => form.set('center', meant)}>
              {t.useThis(meant)}
            </button>
          </div>
        )}
        <div class="coverage-pair">
          <TextField form={form} name="search_radius" label={t.radius} />
          <TextField form={form} name="limit" label={t.limit} />
        </div>
      </Form>
      <Results results={props.results} onShow={props.onShow} />
      <PlacesSearch radius={form.values.search_radius} onFound={props.onPlaces} />
    </>
  );
}

function Results({ results, onShow }: { results: Loaded<SearchResult[] | undefined>; onShow: (place: Place) => void }) {
  const t = texts();
  return (
    <WhenLoaded loaded={results}>
      {(found) => (
        <section aria-label={t.search}>
          <p role="status">{found.length === 0 ? t.foundNone : t.found(found.length)}</p>
          <ol class="found">
            {found.map(({ node_id, quality, distance, center, token, technology, status }) => (
              <li key={node_id}>
                <span class="quality" title={t.quality}>
                  <span class="visually-hidden">{t.quality} </span>
                  {quality}
                </span>
                <div>
                  <p>
                    <strong>{t.metres(formatNumber(distance))}</strong> <span class="fine">{center}</span>
                  </p>
                  <p class="fine">
                    <Stage token={token} />
                    {[technology, nameOf(status)].filter(Boolean).map((word) => ` · ${word}`)}
                  </p>
                </div>
                <button type="button" class="small" onClick={() => onShow(placeOf(center))}>
                  {t.showOnMap}
                </button>
              </li>
            ))}
          </ol>
        </section>
      )}
    </WhenLoaded>
  );
}
