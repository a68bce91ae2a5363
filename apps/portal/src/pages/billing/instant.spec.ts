import { instantOf, isAfter } from './instant.js';

test('an instant has a zone, and is read as it is shown and as it is written in the name of a file', () => {
  const instant = { text: '2026-11-27T00:16:32.305+01:00', inFileName: '20261127T001632.305+0100' };
  for (const text of ['2026-11-26T23:16:32.305+00:00', '2026-11-26T23:16:32.305Z', ` ${instant.text} `, instant.inFileName])
    expect(instantOf(text)).toEqual(instant);
});

test.each(['2026-11-27', '2026-11-27T00:16', '20261127', '', 'yesterday'])('%j is no instant', (text) => {
  expect(instantOf(text)).toBeUndefined();
});

test('compares the moments, not the texts', () => {
  const [earlier, later] = [instantOf('2026-11-27T00:30:00+01:00')!, instantOf('2026-11-26T23:31:00Z')!];
  expect([isAfter(later, earlier), isAfter(earlier, later), isAfter(earlier, earlier)]).toEqual([true, false, false]);
});
