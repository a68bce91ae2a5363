import { headingOf } from './heading.js';

const rowsOf = (...rows: string[]) =>
  rows.map((text, index) => ({ line: index + 1, cells: text.split(';') })).filter(({ cells }) => cells.some((cell) => cell !== ''));
const foundIn = (...rows: string[]) => {
  const { row, columns, isSure } = headingOf(rowsOf(...rows), {});
  return [row.line, columns, isSure];
};

it.each([
  [['Referenz;Breite;Länge', 'a;48;16'], 1, ['Referenz', 'Breite', 'Länge'], true],
  [['Ausbauliste Krems;;', ';;', 'Referenz;Breite;Länge', 'a;48;16'], 3, ['Referenz', 'Breite', 'Länge'], true],
  [['Ausbauliste;;', 'Stand 1.3.2027;;', 'Ref;lat;lon', 'a;48;16'], 3, ['Ref', 'lat', 'lon'], true],
  // Headings over two rows: those that are merged downwards are in the upper one.
  [['Liste;;;', 'Referenz;Lage;;Stufe', ';Breite;Länge;', 'a;48;16;geplant'], 3, ['Referenz', 'Breite', 'Länge', 'Stufe'], true],
  [['center;Ort', '48, 16;x'], 1, ['center', 'Ort'], false],
  [['lat;lon;lat;;', '48;16;48;1;'], 1, ['lat', 'lon', 'lat (2)', 'D', 'E'], true],
])('the headings of %j are in line %i', (rows, line, columns, isSure) => {
  expect(foundIn(...rows)).toEqual([line, columns, isSure]);
});

it('takes the line that a person chooses, and names that were chosen before', () => {
  const rows = rowsOf('x;y', 'Wo;Was', '48, 16;geplant');
  expect(headingOf(rows, {}, 2).columns).toEqual(['Wo', 'Was']);
  expect(headingOf(rows, { Wo: 'center', Was: 'token' }).row.line).toBe(2);
});
