/** An independent implementation of the counts of totals, made from the events themselves instead of from steps. */

/** How often an article of an ISP begins and ends in a window. */
export type Counts = Record<'started' | 'added' | 'removed' | 'ended', number>;

/** A lifecycle event that was accepted. */
export interface BilledEvent {
  readonly entity_id: string;
  readonly event_type: string;
  /** UTC with the same number of digits in all events, so that text order is time order. */
  readonly at: string;
  readonly partner_id?: string;
  readonly article_codes?: readonly string[];
}

/** What runs: the ISP of a subscription and its articles. */
type Running = Pick<BilledEvent, 'partner_id' | 'article_codes'>;

export const keyOf = (partner_id: string, article_code: string): string => `${partner_id} ${article_code}`;
const times = (codes: readonly string[] = [], code: string): number => codes.filter((one) => one === code).length;

/** What an entity has just before an instant. */
function justBefore(timeline: readonly BilledEvent[], at: string): Running {
  const past = timeline.filter((event) => event.at < at).sort((a, b) => (a.at < b.at ? -1 : 1));
  const last = past.at(-1);
  if (last === undefined || last.event_type === 'deactivation') return {};
  const { partner_id } = past.findLast(({ event_type }) => event_type === 'activation')!;
  return { partner_id, article_codes: last.article_codes };
}

function timelinesOf(events: readonly BilledEvent[]): Iterable<readonly BilledEvent[]> {
  const timelines = new Map<string, BilledEvent[]>();
  for (const event of events) timelines.set(event.entity_id, [...(timelines.get(event.entity_id) ?? []), event]);
  return timelines.values();
}

/** How many times each ISP's articles run just before an instant, by {@link keyOf}. */
export function runningBefore(events: readonly BilledEvent[], at: string): Map<string, number> {
  const running = new Map<string, number>();
  for (const timeline of timelinesOf(events)) {
    const { partner_id, article_codes = [] } = justBefore(timeline, at);
    for (const code of article_codes) {
      const key = keyOf(partner_id!, code);
      running.set(key, (running.get(key) ?? 0) + 1);
    }
  }
  return running;
}

/** What begins and ends in a window, by {@link keyOf}; only what does. */
export function countsOf(events: readonly BilledEvent[], { from, to }: { from: string; to: string }): Map<string, Counts> {
  const counts = new Map<string, Counts>();
  const add = (partner_id: string, code: string, name: keyof Counts, count: number): void => {
    if (count === 0) return;
    const key = keyOf(partner_id, code);
    const before = counts.get(key) ?? { started: 0, added: 0, removed: 0, ended: 0 };
    counts.set(key, { ...before, [name]: before[name] + count });
  };
  for (const timeline of timelinesOf(events))
    for (const { event_type, at, partner_id, article_codes } of timeline.filter((event) => from <= event.at && event.at < to)) {
      const before = justBefore(timeline, at);
      for (const code of new Set([...(before.article_codes ?? []), ...(article_codes ?? [])])) {
        const more = times(article_codes, code) - times(before.article_codes, code);
        if (event_type === 'activation') add(partner_id!, code, 'started', more);
        else if (event_type === 'deactivation') add(before.partner_id!, code, 'ended', -more);
        else add(before.partner_id!, code, more > 0 ? 'added' : 'removed', Math.abs(more));
      }
    }
  return counts;
}
