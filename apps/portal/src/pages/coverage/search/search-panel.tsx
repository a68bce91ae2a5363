import { useEffect, useRef, useState } from 'preact/hooks';
import { useLoad } from '../../../hooks/use-load.js';
import { useApp, useScope } from '../../../session/context.js';
import { formatDate } from '../../../texts.js';
import { TextField } from '../../../ui/form/field.js';
import { Section } from '../../../ui/page.js';
import { ExportButtons } from '../../../ui/transfer.js';
import { Form, useForm } from '../../../ui/form/form.js';
import { FILE_FORMATS } from '@fibre/client';
import { exportFilters, type Place, placeOf, relationsBehindNodes, searchNodes, type SearchQuery, textOf } from '../access-node.js';
import { DEFAULT_SEARCH, useCoverage } from '../coverage-state.js';
import { nameOf, texts } from '../coverage-texts.js';
import type { DrawnSearch } from '../map/layers.js';
import { AddressSearch } from './address-search.js';
import { PlacesSearch } from './places-search.js';
import { type FoundNode, Results } from './results.js';
import { withDecimalPoints } from './decimal-comma.js';

/** The search around a place, started by a click on the map or from the form. */
export function SearchPanel({ onShow, onDraw }: { onShow: (place: Place) => void; onDraw: (drawn: DrawnSearch) => void }) {
  const t = texts();
  const { fibre } = useApp();
  const { clicked, filters, search: asked = DEFAULT_SEARCH, revision, change } = useCoverage();
  const maySearch = useScope('coverage:search');
  const [results, setResults] = useState<readonly FoundNode[]>();
  const search = async (query: SearchQuery): Promise<void> => {
    const found = await searchNodes(fibre, query, filters);
    setResults(found);
    onDraw({
      circle: { center: placeOf(query.center), metres: Number(query.search_radius) },
      found: found.map(({ center, quality }) => ({ ...placeOf(center), quality })),
    });
    change({ ...query, panel: 'search' });
  };
  const form = useForm({ initial: { ...asked }, required: ['center', 'search_radius', 'limit'], isLasting: false, save: search });
  const { token, technology, status, available_until } = filters;
  useEffect(() => {
    if (maySearch && asked.center !== '') void form.run(() => search(asked));
  }, [token, technology, status, available_until, revision]);
  // A click on the map sets the center and searches with the rest of the form; a click before this panel was opened does not.
  const known = useRef(clicked);
  useEffect(() => {
    if (!clicked || clicked === known.current) return;
    known.current = clicked;
    const center = textOf(clicked);
    form.set('center', center);
    void form.run(() => search({ ...form.values, center }));
  }, [clicked]);

  const relations = useLoad((signal) => (maySearch ? relationsBehindNodes(fibre, signal) : Promise.resolve(undefined)), String(maySearch));
  const meant = withDecimalPoints(form.values.center);
  const only = [token && nameOf(token), technology, status && nameOf(status), available_until && t.availableBy(formatDate(available_until))]
    .filter(Boolean)
    .join(', ');
  return (
    <>
      <p class="fine">{t.searchHint}</p>
      {only && <p class="fine">{t.searchFilters(only)}</p>}
      <Form form={form} submitLabel={t.doSearch} isOff={!maySearch}>
        <TextField {...form.field('center')} label={t.center} hint={t.centerHint} />
        {meant !== undefined && (
          <div class="notice">
            <p>{t.decimalComma(meant)}</p>
            <button type="button" class="small" onClick={() => form.set('center', meant)}>
              {t.useThis(meant)}
            </button>
          </div>
        )}
        <div class="coverage-pair">
          <TextField {...form.field('search_radius')} label={t.radius} />
          <TextField {...form.field('limit')} label={t.limit} />
        </div>
      </Form>
      {results && <Results label={t.search} found={results} none={t.foundNone} relations={relations.data} onShow={onShow} />}
      <AddressSearch relations={relations.data} onShow={onShow} onFound={onDraw} />
      <PlacesSearch radius={form.values.search_radius} onFound={onDraw} />
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
