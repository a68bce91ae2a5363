import type { EntityWithPeriods, FibreClient } from '@fibre/client';
import { useRef } from 'preact/hooks';
import { useLoad } from '../../hooks/use-load.js';
import { useApp } from '../../session/context.js';
import { chargesOf } from './entity.js';

/** Whose a line was, and what people call it. */
export interface Known {
  readonly partner_id?: string | undefined;
  readonly option82?: string | undefined;
  readonly partner_reference?: string | undefined;
}

/** How many entities are read at once, so that a list does not crowd out other requests. */
const AT_ONCE = 6;

/**
 * The periods of these entities, since lists of entities that have ended, and events after an activation, do not say whose line it is. Each
 * is read once while the list is shown; without them, the list is useful too.
 */
export function useHistories(entity_ids: readonly string[]): ReadonlyMap<string, EntityWithPeriods['periods']> {
  const { fibre } = useApp();
  const read = useRef(new Map<string, EntityWithPeriods['periods']>());
  const missing = [...new Set(entity_ids)].filter((id) => !read.current.has(id));
  const load = async (signal: AbortSignal): Promise<void> => {
    for (let at = 0; at < missing.length; at += AT_ONCE)
      await Promise.all(missing.slice(at, at + AT_ONCE).map((id) => readOne(fibre, id, signal, read.current)));
  };
  useLoad(load, missing.join());
  return read.current;
}

async function readOne(
  fibre: FibreClient,
  id: string,
  signal: AbortSignal,
  found: Map<string, EntityWithPeriods['periods']>,
): Promise<void> {
  try {
    found.set(id, (await fibre.entities.read(id, { signal })).periods);
  } catch (error) {
    if (signal.aborted) throw error;
    found.set(id, []);
  }
}

/** What was known of a line at an instant, or last before it. */
export function knownAt(periods: EntityWithPeriods['periods'] = [], at: string): Known {
  const moment = Date.parse(at);
  return chargesOf(periods).findLast(({ from }) => Date.parse(from) <= moment) ?? {};
}
