import type { ChargedStep } from '@fibre/client';
import { Temporal } from 'temporal-polyfill';
import { USUAL_ZONE } from '../entities/local-time.js';

/** Totals for one article. */
export interface Total {
  readonly article: string;
  readonly entities: number;
  /** Total number of days of all entities, including fractions. */
  readonly days: number;
}

/** Adds up steps as they are loaded. */
export class Totals {
  private readonly byArticle = new Map<string, { entities: Set<string>; days: number }>();
  steps = 0;

  add({ entity_id, from, to, article_codes }: ChargedStep): void {
    this.steps++;
    const days = daysBetween(from, to);
    for (const article of article_codes) {
      const total = this.byArticle.get(article) ?? { entities: new Set(), days: 0 };
      this.byArticle.set(article, total);
      total.entities.add(entity_id);
      total.days += days;
    }
  }

  get all(): Total[] {
    return [...this.byArticle]
      .map(([article, { entities, days }]) => ({ article, entities: entities.size, days }))
      .sort((a, b) => (a.article < b.article ? -1 : 1));
  }
}

/** Calendar days: a day on which clocks are turned back counts as one day. */
export function daysBetween(from: string, to: string): number {
  const [begin, end] = [from, to].map((at) => Temporal.Instant.from(at).toZonedDateTimeISO(USUAL_ZONE)) as [
    Temporal.ZonedDateTime,
    Temporal.ZonedDateTime,
  ];
  return begin.until(end).total({ unit: 'days', relativeTo: begin });
}
