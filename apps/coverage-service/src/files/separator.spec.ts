import { separatorOf } from './table-rows.js';

test.each<[string, string, ReturnType<typeof separatorOf>]>([
  ['commas', 'a,b\n', ','],
  ['semicolons', 'a;b\n', ';'],
  ['a single column', 'center\n', ','],
  ['empty lines before it', '\r\n\na;b\r\n', ';'],
  ['a semicolon in a quoted name', 'id,"a;b",c\n', ','],
  ['several semicolons in a quoted name', 'id,"a;""b"";c;d"\r\n', ','],
  ['a line break in a quoted name', '"a\nb";c\nx;48,2\n', ';'],
  ['a line break and a comma in a quoted name', '"a,\r\n,b";c\r', ';'],
  ['a single quoted column with commas', '"a,b"\n1;2\n', ','],
  ['a semicolon in a name without quotes', 'id,Address (street; no),latitude,longitude\n', ','],
  ['a comma in a name without quotes', 'id;Address (street, no);latitude;longitude\n', ';'],
  ['as many commas in names', 'Address (street, no);center\n', ';'],
  ['no end', 'a;b', undefined],
  ['a quote without an end', '"a;b\n', undefined],
  ['only empty lines', '\n\n', undefined],
])('a header with %s', (_title, text, separator) => {
  expect(separatorOf(text)).toBe(separator);
});
