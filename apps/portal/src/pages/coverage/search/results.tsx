import type { PublicNode, PublishedRelation, SearchResult } from '@fibre/client';
import { formatDate, formatNumber } from '../../../texts.js';
import { placeOf } from '../access-node.js';
import { nameOf, nodesInWords } from '../coverage-texts.js';
import { CopyId } from '../../../ui/copy-button.js';
import { qualityLook } from '../map/map-legend.js';
import { useCoverage } from '../coverage-state.js';
import { Stage } from '../filters-panel.js';
import { Behind } from './behind.js';
import { promiseOf } from './offer.js';
import { texts } from './search-texts.js';
import { Button } from '../../../ui/button.js';

/** A node at an address has no distance and no quality. */
export type FoundNode = PublicNode & Partial<SearchResult>;

/** When the node can be ordered, how fast it is, and for how many. */
function offerOf({
  available_from,
  download_mbps,
  upload_mbps,
  units,
  units_connected: connected,
}: Partial<PublicNode>): (string | undefined)[] {
  const t = texts();
  const speeds = [download_mbps, upload_mbps].map((mbps) => (mbps === undefined ? '?' : formatNumber(mbps)));
  return [
    available_from && t.from(formatDate(available_from)),
    (download_mbps ?? upload_mbps) === undefined ? undefined : `${speeds.join('/')} Mbit/s`,
    units === undefined
      ? undefined
      : [t.homes(formatNumber(units), units), connected !== undefined && t.ofThemConnected(formatNumber(connected))]
          .filter(Boolean)
          .join(', '),
  ];
}

/** The nodes that a search found, each with what an ISP needs to order. */
export function Results(props: {
  found: readonly FoundNode[];
  /** What was searched. */
  asked: () => string;
  /** What is said if nothing was found. */
  none?: (() => string) | undefined;
  /** What is said if there are more than these. */
  more?: (() => string) | undefined;
  /** The radius of the search, if it had one. */
  within: number | undefined;
  relations: ReadonlyMap<string, PublishedRelation> | undefined;
}) {
  const t = texts();
  const { map } = useCoverage();
  const { found, asked, none, more, within, relations } = props;
  return (
    <section aria-label={t.search}>
      <p class="fine">{asked()}</p>
      <p role="status">
        {found.length === 0 ? (none?.() ?? t.foundNone) : t.found(nodesInWords(found.length))}
        {more && <span class="fine"> {more()}</span>}
        {within !== undefined && <span class="fine"> {t.within(formatNumber(within))}</span>}
      </p>
      <ol class="found">
        {found.map(({ node_id, relation_id, tenant, quality, distance, center, address, token, technology, status, ...offer }) => (
          <li key={node_id}>
            {quality === undefined ? (
              <span />
            ) : (
              <span {...qualityLook(quality)} title={t.quality}>
                <span class="visually-hidden">{t.quality} </span>
                {quality}
              </span>
            )}
            <div>
              <p>
                {distance !== undefined && <strong>{formatNumber(distance)} m</strong>}{' '}
                {address === undefined ? <span class="fine">{center}</span> : <bdi>{address}</bdi>}
              </p>
              {promiseOf(offer) && <p>{promiseOf(offer)}</p>}
              <p class="fine">
                <Stage token={token} />
                {[technology, nameOf(status), ...offerOf(offer)].filter(Boolean).map((word) => ` · ${word}`)}
              </p>
              <div class="row">
                <CopyId name="node_id" id={node_id} of={address ?? center} />
                <Button label={t.showOnMap} look="small" onClick={() => map.current?.showPlace(placeOf(center))} />
              </div>
              <Behind tenant={tenant} relation={relations?.get(`${tenant} ${relation_id}`)} />
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
