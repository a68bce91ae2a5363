import type { FibreClient, FoundInCoverage, FoundInEvents } from '@fibre/client';
import { type Loaded, useLoad } from '../../hooks/use-load.js';
import { useApp, useScope } from '../../session/context.js';
import { type Place, placeOf } from '../coverage/access-node.js';
import { centerIn } from '../coverage/search/center-in.js';
import { folded } from '../coverage/search/folded.js';
import { placesNamed } from '../coverage/search/place-names.js';

/** A page that a text leads to. */
export interface Found {
  readonly kind: 'relation' | 'accessNode' | 'isp' | 'entity' | 'closing' | 'place';
  readonly name: string;
  /** The field that matched, if the name does not show it; of a place, where it is. */
  readonly matched?: string;
  /** Whether it was typed as a whole: the beginning of a name may mean others. */
  readonly isWhole: boolean;
  /** Path of the page. */
  readonly path: string;
}

/** Who answers: each service for itself, and the portal for places on the map. */
export const SOURCES = ['coverage-service', 'event-service', 'places'] as const;

/** Milliseconds without a key press after which the services are asked. */
const PAUSE_MS = 150;
/** Shorter texts are not searched. */
export const LEAST = 2;

/** Finds what begins with a text, among what the person may read. Each source adds its results as soon as it has them. */
export function useFound(text: string): { found: readonly Found[]; isLoading: boolean; away: readonly string[] } {
  const { fibre } = useApp();
  const [readsCoverage, readsEvents] = [useScope('coverage:read'), useScope('events:read')];
  const sources: Loaded<Found[]>[] = [
    useSource(text, readsCoverage, (signal) => inCoverage(fibre, text, signal)),
    useSource(text, readsEvents, (signal) => inEvents(fibre, text, signal)),
    useSource(text, readsCoverage, (signal) => onMap(text, signal)),
  ];
  // What is found by two of its fields is one result.
  const byPath = new Map(sources.flatMap(({ data = [] }) => data.map((one) => [one.path, one] as const)).toReversed());
  return {
    found: [...byPath.values()].toReversed(),
    isLoading: sources.some(({ isLoading }) => isLoading),
    away: SOURCES.filter((_source, index) => sources[index]!.error !== undefined),
  };
}

function useSource(text: string, mayRead: boolean, find: (signal: AbortSignal) => Promise<Found[]>): Loaded<Found[]> {
  const load = async (signal: AbortSignal): Promise<Found[]> => {
    if (!mayRead || [...text].length < LEAST) return [];
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    return signal.aborted ? [] : find(signal);
  };
  return useLoad(load, `${mayRead} ${text}`);
}

/**
 * What Enter opens without a choice: the only record that was typed as a whole; else a place of that name, the largest; else the only
 * result, if it is a record. What merely begins like the text, as other results do, must be chosen.
 */
export function meantBy(found: readonly Found[]): Found | undefined {
  const [records, places] = [found.filter(({ kind }) => kind !== 'place'), found.filter(({ kind }) => kind === 'place')];
  const whole = records.filter(({ isWhole }) => isWhole);
  if (whole.length > 0) return whole.length === 1 ? whole[0] : undefined;
  return places.find(({ isWhole }) => isWhole) ?? (found.length === 1 ? records[0] : undefined);
}

const inCoverage = async ({ coverage }: FibreClient, text: string, signal: AbortSignal): Promise<Found[]> =>
  (await coverage.find(text, { signal })).map((one) => ({ ...coverageResult(one), isWhole: isWhole(one, text) }));
const inEvents = async ({ entities }: FibreClient, text: string, signal: AbortSignal): Promise<Found[]> =>
  (await entities.find(text, { signal })).map((one) => ({ ...eventResult(one), isWhole: isWhole(one, text) }));

const isWhole = ({ id, label }: FoundInCoverage | FoundInEvents, text: string): boolean =>
  [id, label.toLowerCase()].includes(text.toLowerCase());

function coverageResult({ kind, id, label, matched }: FoundInCoverage): Omit<Found, 'isWhole'> {
  if (kind === 'relation') return { kind, name: label, path: `relations/${id}` };
  const target = kind === 'node' ? 'nodes' : 'prenodes';
  return { kind: 'accessNode', name: label, matched, path: `coverage?target=${target}&node=${id}` };
}

function eventResult({ kind, id, label, matched }: FoundInEvents): Omit<Found, 'isWhole'> {
  if (kind === 'isp') return { kind, name: label, path: `isps/${id}` };
  if (kind === 'closing') return { kind, name: label, path: `billing?closing=${id}` };
  // An event is shown with its entity.
  return { kind: 'entity', name: label, matched, path: `entities/${kind === 'event' ? label : id}` };
}

/** References have digits or one of these, and the names of towns begin like them. */
const NO_NAME = /[\d/:_-]/;

/** The place of a coordinate, or towns whose name begins with the text. */
async function onMap(text: string, signal: AbortSignal): Promise<Found[]> {
  const center = centerIn(text);
  const at = placeOf(center ?? '');
  if (center && Math.abs(at.latitude) <= 90 && Math.abs(at.longitude) <= 180)
    return [{ kind: 'place', name: center, isWhole: true, path: pathTo(16, at) }];
  if (NO_NAME.test(text)) return [];
  const places = await placesNamed(text, signal);
  return places.map((place) => {
    const isWhole = folded(place.name) === folded(text);
    return { kind: 'place', name: place.name, matched: place.within, isWhole, path: pathTo(12, place) };
  });
}

const pathTo = (zoom: number, { latitude, longitude }: Place): string => `coverage?view=${zoom}/${latitude}/${longitude}`;
