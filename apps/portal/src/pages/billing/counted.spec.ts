import { COUNTED, countedSteps, fromJustBefore } from './counted.js';

const window = { from: '2026-01-31T23:00:00Z', to: '2026-02-28T23:00:00Z', timezone: 'Europe/Vienna' };
const step = (entity_id: string, from: string, to: string, more: object, ...article_codes: string[]) => ({
  entity_id,
  partner_id: 'isp',
  from: `2026-${from}:00:00Z`,
  to: `2026-${to}:00:00Z`,
  article_codes,
  runs_on: false,
  ...more,
});
const counts = (...steps: ReturnType<typeof step>[]) =>
  countedSteps(steps, 'A', window).map((one) => [one.entity_id, one.days, ...COUNTED.map((name) => one[name])]);

test('a window is read from just before it', () => {
  expect(fromJustBefore(window)).toBe('2026-01-31T22:59:59.999999Z');
});

test('what an activation began is started, and what a deactivation ended is ended', () => {
  const [begins, ends] = [
    { begins: '1', begins_by: 'activation' },
    { ends: '2', ends_by: 'deactivation' },
  ];
  expect(
    counts(
      step('one', '02-01T23', '02-03T23', { ...begins, ...ends }, 'A'),
      step('two', '02-01T23', '02-28T23', begins, 'A', 'A'),
      step('three', '01-31T23', '02-28T23', {}, 'A'),
    ),
  ).toEqual([
    ['one', 2, 1, 0, 0, 1],
    // It names the article twice.
    ['two', 54, 2, 0, 0, 0],
    ['three', 28, 0, 0, 0, 0],
  ]);
});

test('an update counts only what it adds or removes, at the very start of the window too', () => {
  const [first, second, third, fourth] = ['1', '2', '3', '4'].map((id) => ({
    begins: { begins: id, begins_by: 'update' },
    ends: { ends: id, ends_by: 'update' },
  }));
  expect(
    counts(
      // Of the steps before the window, a microsecond is read.
      step('kept', '01-31T23', '01-31T23', first!.ends, 'A'),
      step('kept', '01-31T23', '02-10T23', { ...first!.begins, ...second!.ends }, 'A', 'A'),
      step('kept', '02-10T23', '02-28T23', second!.begins, 'A'),
      step('lost', '01-31T23', '01-31T23', third!.ends, 'A'),
      step('won', '01-31T23', '02-28T23', fourth!.begins, 'A'),
    ),
  ).toEqual([
    ['kept', 20, 0, 1, 1, 0],
    ['kept', 18, 0, 0, 0, 0],
    ['lost', 0, 0, 0, 1, 0],
    ['won', 28, 0, 1, 0, 0],
  ]);
});
