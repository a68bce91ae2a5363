import { TOKENS } from '@fibre/client';
import { useLocation } from 'preact-iso';
import { useEffect, useRef, useState } from 'preact/hooks';
import { toRefusal } from '../../../api/refusal.js';
import { useApp } from '../../../session/context.js';
import { formatEstimate, formatNumber, language } from '../../../texts.js';
import { announce } from '../../../ui/announcements.js';
import { theme } from '../../../theme.js';
import { Failure } from '../../../ui/failure.js';
import type { Place } from '../access-node.js';
import { isKeptView, keepView, useCoverage, viewOfAddress } from '../coverage-state.js';
import { nameOf, texts } from '../coverage-texts.js';
import type { DrawnSearch } from './layers.js';
import { MapLegend } from './map-legend.js';
import { type InView, MapView, type Where } from './map-view.js';

/** The map with its overlays. MapLibre reads its labels only once, so a language change requires a new map. */
export function CoverageMap(props: {
  picksPlaces: boolean;
  search: DrawnSearch | undefined;
  selected: { node_id: string; place: Place } | undefined;
  /** The place to show; the map moves there. */
  place: Place | undefined;
  /** Increases after an import; the map then shows where the imported nodes are. */
  imports: number;
  /** Called with the reason why tiles fail to load, or with `undefined` if they load. */
  onFailure: (error: unknown) => void;
  onNode: (node_id: string) => void;
  onPlace: (place: Place) => void;
}) {
  const t = texts();
  const { fibre, configuration } = useApp();
  const { shown, mayRead, revision, boxes } = useCoverage();
  const { view: linked } = useLocation().query;
  const container = useRef<HTMLDivElement>(null);
  const view = useRef<MapView>(undefined);
  const latest = useRef({ ...props, revision });
  latest.current = { ...props, revision };
  const [state, setState] = useState<'loading' | 'idle'>('loading');
  const [inView, setInView] = useState<InView>();
  const [where, setWhere] = useState<Where>();
  const [failure, keepFailure] = useState<unknown>();
  const setFailure = (error: unknown): void => {
    const refusal = toRefusal(error);
    keepFailure(refusal);
    latest.current.onFailure(refusal);
  };
  const [hasMap, setHasMap] = useState(true);
  const query = mayRead ? new URLSearchParams({ ...shown }).toString() : undefined;

  useEffect(() => {
    const words = texts();
    try {
      view.current = new MapView({
        container: container.current!,
        style: configuration.map_style,
        label: words.mapLabel,
        language: language.value,
        texts: {
          'NavigationControl.ZoomIn': words.zoomIn,
          'NavigationControl.ZoomOut': words.zoomOut,
          'AttributionControl.ToggleAttribution': words.attribution,
        },
        readTile: (tile, asked, signal) =>
          fibre.coverage.tile(tile, Object.fromEntries(new URLSearchParams(asked)), {
            // After a change, the browser's cache may be outdated.
            cache: latest.current.revision > 0 ? 'no-cache' : 'default',
            signal,
          }),
        onState: setState,
        onInView: setInView,
        onFailure: setFailure,
        onMove: (zoom, { latitude, longitude }) => keepView(zoom, latitude, longitude),
        onNode: (node_id) => latest.current.onNode(node_id),
        onPlace: (place) => latest.current.onPlace(place),
        onVague: () => announce(texts().clickAgain),
        onWhere: setWhere,
        describe,
      });
    } catch {
      setHasMap(false);
      return undefined;
    }
    const map = view.current;
    boxes.current = { inView: () => map.boxInView(), draw: (signal) => map.drawBox(signal) };
    const at = viewOfAddress();
    if (at) map.jumpTo(at.zoom, at);
    else if (mayRead && !latest.current.search && !latest.current.selected) map.showAll();
    const watch = new ResizeObserver(() => map.map.resize());
    watch.observe(container.current!);
    return () => {
      watch.disconnect();
      boxes.current = undefined;
      map.remove();
    };
  }, []);

  useEffect(() => {
    const at = isKeptView(linked) ? undefined : viewOfAddress();
    if (at) view.current?.jumpTo(at.zoom, at);
  }, [linked]);

  useEffect(() => {
    setFailure(undefined);
    view.current?.showNodes(query);
  }, [query, revision]);

  useEffect(() => {
    const draw = (): void => view.current?.restyle();
    const dark = matchMedia('(prefers-color-scheme: dark)');
    draw();
    dark.addEventListener('change', draw);
    return () => dark.removeEventListener('change', draw);
  }, [theme.value]);

  useEffect(() => view.current?.pickPlaces(props.picksPlaces), [props.picksPlaces]);
  useEffect(() => view.current?.drawSearch(props.search), [props.search]);
  useEffect(() => {
    view.current?.select(props.selected?.node_id, props.selected?.place);
  }, [props.selected]);
  useEffect(() => {
    if (props.place) view.current?.showPlace(props.place, 12);
  }, [props.place]);
  useEffect(() => {
    if (props.imports > 0) view.current?.showAll();
  }, [props.imports]);

  if (!hasMap)
    return (
      <div class="coverage-map">
        <Failure error={undefined} title={t.noMap} detail={t.noMapWhy} />
      </div>
    );
  const retry = (): void => {
    setFailure(undefined);
    view.current?.reload();
  };
  return (
    <div class="coverage-map" data-map-state={failure === undefined ? state : 'failed'}>
      <div class="map-canvas" ref={container} />
      <div class="map-crosshair" aria-hidden="true" />
      {mayRead && (
        <div class="map-notes">
          <p class="map-note" role="status">
            {inView === undefined
              ? t.mapLoading
              : t.inView((inView.isEstimated ? formatEstimate : formatNumber)(inView.count), inView.count, inView.isEstimated)}
          </p>
          <button type="button" class="small" onClick={() => view.current?.showAll()}>
            {t.showAll}
          </button>
        </div>
      )}
      <div class="map-foot">
        {where && <p class="map-note map-where">{t.where(where)}</p>}
        <MapLegend search={props.search} />
      </div>
      {failure !== undefined && (
        <div class="map-failure">
          <Failure error={failure} onRetry={retry} />
        </div>
      )}
    </div>
  );
}

/** The text shown next to the pointer. */
function describe({ count, estimated, token, technology, status, ...stages }: Record<string, unknown>): string {
  const t = texts();
  if (count === undefined) return [nameOf(String(token)), technology, nameOf(String(status))].filter(Boolean).join(' · ');
  const format = estimated ? formatEstimate : formatNumber;
  const shares = TOKENS.filter((name) => stages[name]).map((name) => `${format(Number(stages[name]))} ${nameOf(name)}`);
  return `${t.cell(format(Number(count)), Boolean(estimated))}: ${shares.join(', ')}`;
}
