import type { AccessNode } from '@fibre/client';
import { useLocation } from 'preact-iso';
import { useEffect, useRef, useState } from 'preact/hooks';
import { toRefusal } from '../../../refusal.js';
import { useApp, useScope } from '../../../session/context.js';
import { Failure } from '../../../ui/failure.js';
import { type Box, type Place, placeOf } from '../access-node.js';
import { useCoverage } from '../coverage-state.js';
import { nodesInWords, texts } from '../coverage-texts.js';
import { isKeptView, viewOfAddress } from './kept-view.js';
import { MapLegend } from './map-legend.js';
import { MapView } from './map-view.js';
import type { Seen } from './seen.js';
import { Button } from '../../../ui/button.js';

/** The map with its overlays. MapLibre reads its labels only once, so a language change requires a new map. */
export function CoverageMap(props: {
  picksPlaces: boolean;
  selected: AccessNode | undefined;
  /** Called with the reason why tiles fail to load, or with `undefined` if they load. */
  onFailure: (error: unknown) => void;
  onNode: (node_id: string) => void;
  onPlace: (place: Place) => void;
  onBox: (box: Box) => void;
}) {
  const t = texts();
  const { configuration } = useApp();
  const { query, mayRead, revision, map, drawn, error, isFiltered, panel, change } = useCoverage();
  const { view: linked } = useLocation().query;
  const container = useRef<HTMLDivElement>(null);
  const latest = useRef({ query, revision });
  latest.current = { query, revision };
  const [isLoading, setLoading] = useState(true);
  const [seen, setSeen] = useState<Seen>();
  const [hasMap, setHasMap] = useState(true);
  const [isEmpty, setEmpty] = useState(false);
  const mayWrite = useScope('coverage:write');

  useEffect(() => {
    try {
      map.current = new MapView({
        container: container.current!,
        style: configuration.map_style,
        readTile: async (tile, signal) => {
          if (!mayRead) return new ArrayBuffer(0);
          // After a change, the browser's cache may be outdated.
          const cache = latest.current.revision > 0 ? 'no-cache' : 'default';
          return latest.current.query.tile(tile, { cache, signal });
        },
        padding: () => paddingOf(container.current!),
        onLoading: () => setLoading(true),
        onSeen: (now) => {
          setSeen(now);
          setLoading(false);
        },
        onFitted: (hasNodes) => setEmpty(!hasNodes),
        onFailure: (failure) => props.onFailure(toRefusal(failure)),
        onNode: props.onNode,
        onPlace: props.onPlace,
        onBox: props.onBox,
      });
    } catch {
      setHasMap(false);
      return undefined;
    }
    const view = map.current;
    const watch = new ResizeObserver(() => view.map.resize());
    watch.observe(container.current!);
    return () => {
      watch.disconnect();
      map.current = undefined;
      view.remove();
    };
  }, []);

  const reload = (): void => {
    props.onFailure(undefined);
    map.current?.reload();
  };
  useEffect(reload, [JSON.stringify([query.key, revision])]);
  useEffect(() => {
    const at = isKeptView(linked) ? undefined : viewOfAddress();
    if (at) map.current?.jumpTo(at.zoom, at);
  }, [linked]);
  useEffect(() => {
    if (mayRead && !viewOfAddress() && !drawn && !props.selected) void map.current?.showAll();
  }, []);
  useEffect(() => {
    const draw = (): void => map.current?.restyle();
    const dark = matchMedia('(prefers-color-scheme: dark)');
    draw();
    dark.addEventListener('change', draw);
    return () => dark.removeEventListener('change', draw);
  }, []);

  useEffect(() => map.current?.pointer.pickPlaces(props.picksPlaces), [props.picksPlaces]);
  useEffect(() => map.current?.drawSearch(drawn), [drawn]);
  useEffect(() => map.current?.select(props.selected?.node_id, props.selected && placeOf(props.selected.center)), [props.selected]);

  if (!hasMap)
    return (
      <div class="coverage-map">
        <Failure error={undefined} title={t.noMap} />
      </div>
    );
  const state = isLoading ? 'loading' : 'idle';
  return (
    <div class="coverage-map" data-map-state={error === undefined ? state : 'failed'}>
      <div class="map-canvas" ref={container} />
      <div class="map-notes">
        <div class="actions">
          {mayRead && (
            <>
              <p class="map-note" role="status">
                {seen ? t.inView(nodesInWords(seen.count, seen.isEstimated)) : t.mapLoading}
              </p>
              <Button label={t.showAll} look="small" onClick={() => void map.current?.showAll()} />
            </>
          )}
          <div class="map-zoom">
            <button type="button" class="small" aria-label={t.zoomIn} onClick={() => map.current?.map.zoomIn()}>
              +
            </button>
            <button type="button" class="small" aria-label={t.zoomOut} onClick={() => map.current?.map.zoomOut()}>
              −
            </button>
          </div>
        </div>
        {isEmpty && seen?.count === 0 && !isFiltered && error === undefined && (
          <div class="map-note actions">
            {t.noneYet}
            {mayWrite && panel !== 'files' && <Button label={t.importFirst} look="small" onClick={() => change({ panel: 'files' })} />}
          </div>
        )}
        {error !== undefined && <Failure error={error} onRetry={reload} />}
        {seen?.where && <p class="map-note">{t.where(seen.where)}</p>}
        <MapLegend />
      </div>
    </div>
  );
}

/** Space between what is shown and what covers the map, in pixels. */
const SPACE = 20;

/** How much of a map is covered at its edges; in a small window, no more than leaves room for nodes. */
function paddingOf(canvas: HTMLElement): { top: number; bottom: number; left: number; right: number } {
  const map = canvas.getBoundingClientRect();
  const [above, ...below] = Array.from(canvas.parentElement?.querySelectorAll('.map-notes > *') ?? [], (note) =>
    note.getBoundingClientRect(),
  );
  const most = map.height / 4;
  const side = Math.min(2 * SPACE + 20, map.width / 8);
  return {
    top: Math.min(most, (above?.bottom ?? map.top) - map.top + SPACE),
    bottom: Math.min(most, map.bottom - Math.min(map.bottom, ...below.map(({ top }) => top)) + SPACE),
    left: side,
    right: side,
  };
}
