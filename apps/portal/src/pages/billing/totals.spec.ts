import type { ChargedStep } from '@fibre/client';
import { daysBetween, Totals } from './totals.js';

const OCTOBER = ['2026-09-30T22:00:00.000+00:00', '2026-10-31T23:00:00.000+00:00'] as const;

test('counts calendar days', () => {
  expect(daysBetween(...OCTOBER)).toBe(31);
  expect(daysBetween(OCTOBER[0], '2026-10-01T10:00:00.000+00:00')).toBe(0.5);
  // The day on which clocks are turned back has 25 hours.
  expect(daysBetween('2026-10-24T22:00:00.000+00:00', '2026-10-25T23:00:00.000+00:00')).toBe(1);
});

test('counts the entities of an article once each, and adds up their days', () => {
  const step = (entity_id: string, article_codes: string[], [from, to]: readonly [string, string] = OCTOBER): ChargedStep => ({
    ...{ entity_id, article_codes, from, to },
    ...{ partner_id: 'p', runs_on: false },
  });
  const totals = new Totals();
  totals.add(step('one', ['B', 'A'], [OCTOBER[0], '2026-10-09T22:00:00.000+00:00']));
  totals.add(step('one', ['A'], ['2026-10-09T22:00:00.000+00:00', OCTOBER[1]]));
  totals.add(step('two', ['A']));
  expect(totals.all).toEqual([
    { article: 'A', entities: 2, days: 62 },
    { article: 'B', entities: 1, days: 9 },
  ]);
  expect(totals.steps).toBe(3);
});
