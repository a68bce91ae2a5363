import { fieldsOf, guessStage } from './guess.js';

it.each([
  [
    ['Referenz', 'Breite', 'Länge', 'Stufe (Plan, Bau)', 'Bemerkung'],
    ['customer_reference', 'latitude', 'longitude', 'token'],
  ],
  [
    ['ID', 'lat', 'LON', 'Stage', 'Technik'],
    [undefined, 'latitude', 'longitude', 'token', 'technology'],
  ],
  [
    ['Customer reference', 'Breitengrad', 'Laengengrad [°]', 'TOKEN', 'Grundstück'],
    ['customer_reference', 'latitude', 'longitude', 'token', 'lot_id'],
  ],
  [
    ['HNR', 'ADRCD', 'Koordinaten', 'Download in Mbit/s'],
    ['customer_reference', 'address_id', 'center', 'download_mbps'],
  ],
  [
    ['Kennung', 'Adresse', 'Adresscode', 'Wohneinheiten', 'davon angeschlossen'],
    ['customer_reference', 'address', 'address_id', 'units', 'units_connected'],
  ],
  [
    ['Ref', 'Full address', 'Homes and businesses', 'Of these, connected'],
    ['customer_reference', 'address', 'units', 'units_connected'],
  ],
  // A better name comes first, and a column with the API's own name is taken.
  [
    ['HNR', 'Ref', 'center', 'Koordinaten'],
    [undefined, 'customer_reference'],
  ],
])('the columns %j are %j', (columns, fields) => {
  expect(columns.map((name) => fieldsOf(columns, {})[name])).toEqual(columns.map((_, index) => fields[index]));
});

it('does not guess a field that another column is known to have', () => {
  expect(fieldsOf(['Ref', 'Kennung'], { Kennung: 'customer_reference' })).toEqual({ Kennung: 'customer_reference' });
  expect(fieldsOf(['Ref', 'Kennung'], { Ref: '' })).toEqual({ Ref: '', Kennung: 'customer_reference' });
});

it.each([
  ['geplant', 'planned'],
  ['in Bau', 'construction'],
  ['In Betrieb', 'operation'],
  ['gebaut', 'operation'],
  ['Under Construction', 'construction'],
  ['PLANNED', 'planned'],
  ['vielleicht', undefined],
  ['', undefined],
])('the stage %j is %s', (word, stage) => {
  expect(guessStage(word)).toBe(stage);
});
