import { Fragment } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLoad } from '../../../hooks/use-load.js';
import { useApp, useScope } from '../../../session/context.js';
import { formatDate, formatNumber } from '../../../texts.js';
import { TextField } from '../../../ui/form/field.js';
import { Section } from '../../../ui/page.js';
import { ExportButtons } from '../../../ui/transfer.js';
import { Form, useForm } from '../../../ui/form/form.js';
import { FILE_FORMATS, type PublishedRelation, type SearchResult } from '@fibre/client';
import { exportFilters, type Place, placeOf, relationsBehindNodes, searchNodes, type SearchQuery, textOf } from '../access-node.js';
import { DEFAULT_SEARCH, useCoverage } from '../coverage-state.js';
import { nameOf, texts } from '../coverage-texts.js';
import type { DrawnSearch } from '../map/layers.js';
import { Stage } from '../filters-panel.js';
import { PlacesSearch } from './places-search.js';
import { withDecimalPoints } from './decimal-comma.js';

/** The search around a place, started by a click on the map or from the form. */
export function SearchPanel({ onShow, onDraw }: { onShow: (place: Place) => void; onDraw: (drawn: DrawnSearch) => void }) {
  const t = texts();
  const { fibre } = useApp();
  const { clicked, filters, search: asked = DEFAULT_SEARCH, revision, change } = useCoverage();
  const maySearch = useScope('coverage:search');
  const [results, setResults] = useState<readonly SearchResult[]>();
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
      {results && <Results found={results} relations={relations.data} onShow={onShow} />}
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

/** When the node can be ordered, how fast it is, and for how many. */
function offerOf({ available_from, download_mbps, upload_mbps, units }: Partial<SearchResult>): (string | undefined)[] {
  const t = texts();
  const speeds = [download_mbps, upload_mbps].map((mbps) => (mbps === undefined ? '?' : formatNumber(mbps)));
  return [
    available_from && t.from(formatDate(available_from)),
    (download_mbps ?? upload_mbps) === undefined ? undefined : `${speeds.join('/')} Mbit/s`,
    units === undefined ? undefined : t.homes(formatNumber(units), units),
  ];
}

/** Whose node a result is, and where to order. @param relation is absent until it is loaded, or if its operator has not created it */
function Behind({ tenant, relation }: { tenant: string; relation: PublishedRelation | undefined }) {
  const t = texts();
  const { operator = tenant, pip, contact_name, contact_email, contact_phone, order_url } = relation ?? {};
  const contact = [contact_name, contact_email, contact_phone].filter((word) => word !== undefined);
  return (
    <>
      <p class="fine">
        {t.operator} <strong>{operator}</strong>
        {pip !== undefined && ` · ${t.pip} ${pip}`}
      </p>
      {contact.length > 0 && (
        <p class="fine">
          {t.contact}{' '}
          {contact.map((word, index) => (
            <Fragment key={index}>
              {index > 0 && ', '}
              {word === contact_email ? <a href={`mailto:${encodeURIComponent(word).replace('%40', '@')}`}>{word}</a> : word}
            </Fragment>
          ))}
        </p>
      )}
      {order_url !== undefined && (
        <p class="fine">
          <a href={order_url} target="_blank" rel="noopener noreferrer">
            {t.order}
            <span class="visually-hidden"> {operator}</span>
          </a>
        </p>
      )}
    </>
  );
}

function Results({
  found,
  relations,
  onShow,
}: {
  found: readonly SearchResult[];
  relations: ReadonlyMap<string, PublishedRelation> | undefined;
  onShow: (place: Place) => void;
}) {
  const t = texts();
  return (
    <section aria-label={t.search}>
      <p role="status">{found.length === 0 ? t.foundNone : t.found(found.length)}</p>
      <ol class="found">
        {found.map(({ node_id, relation_id, tenant, quality, distance, center, token, technology, status, ...offer }) => (
          <li key={node_id}>
            <span class="quality" title={t.quality}>
              <span class="visually-hidden">{t.quality} </span>
              {quality}
            </span>
            <div>
              <p>
                <strong>{formatNumber(distance)} m</strong> <span class="fine">{center}</span>
              </p>
              <p class="fine">
                <Stage token={token} />
                {[technology, nameOf(status), ...offerOf(offer)].filter(Boolean).map((word) => ` · ${word}`)}
              </p>
              <Behind tenant={tenant} relation={relations?.get(`${tenant} ${relation_id}`)} />
            </div>
            <button type="button" class="small" onClick={() => onShow(placeOf(center))}>
              {t.showOnMap}
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
