import { mapped, type Choices } from './mapped.js';
import { previewOf } from './preview.js';

const NONE: Choices = { fields: {}, stages: {}, cells: {} };
const of = async (text: string, choices: Partial<Choices> = {}) =>
  mapped(await previewOf({ file: new File([text], 'a.csv'), format: 'csv', gzip: false }), true, { ...NONE, ...choices });

const MESSY = [
  'Ausbauliste Krems;;;;;',
  ';;;;;',
  'Referenz;Breite;Länge;Stufe;Bestellbar ab;',
  'a;48,4;15,9;geplant;01.03.2027;',
  ';;;;;',
  'b;48,5;15,8;???;;',
  'c;15,7;48,4;in Bau;1.4.27;',
  'Summe;;;3;;',
].join('\r\n');

it('finds headings, words, dates, sums and what is far, and writes each row on its line', async () => {
  const table = await of(MESSY, { stages: { '???': 'planned' } });
  expect(table).toMatchObject({
    columns: ['Referenz', 'Breite', 'Länge', 'Stufe', 'Bestellbar ab'],
    words: ['geplant', '???', 'in Bau'],
    empty: 1,
    sums: [8],
    date: ['01.03.2027', '2027-03-01'],
  });
  expect(await table.content()!.text()).toBe(
    [
      '',
      '',
      'customer_reference;latitude;longitude;token;available_from',
      'a;48,4;15,9;planned;2027-03-01',
      '',
      'b;48,5;15,8;planned;',
      'c;15,7;48,4;construction;2027-04-01',
      '',
      '',
    ].join('\r\n'),
  );
});

it('writes corrected cells, and only the rows that are asked for', async () => {
  const table = await of(MESSY, { cells: { '6:3': 'gebaut' }, only: [[6, 6]] });
  expect((await table.content()!.text()).split('\r\n').filter(Boolean)).toEqual([
    'customer_reference;latitude;longitude;token;available_from',
    'b;48,5;15,8;operation;',
  ]);
});

it('sends a file of the API as it is', async () => {
  expect((await of('customer_reference,center,token\na,"48, 16",planned\n')).content()).toBeUndefined();
  expect((await of('customer_reference,center,token\na,"48, 16",geplant\n')).content()).toBeDefined();
});
