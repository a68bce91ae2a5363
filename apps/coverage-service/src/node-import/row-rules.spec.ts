import { InvalidParts, PartReader, readPart } from '@fibre/validation';
import fc from 'fast-check';
import { CreateAccessNodeRequest } from '../access-nodes/access-node.requests.js';
import { RowRules } from './row-rules.js';

const ID = '7F2A1C9E-53B0-4D1C-9A3E-6F0D5B8E2C41';
const anything = fc.oneof(
  fc.constantFrom(
    null,
    undefined,
    '',
    ID,
    'planned',
    'active',
    'at',
    '48.2, 16.2',
    '91, 0',
    'x'.repeat(64),
    'x'.repeat(65),
    '🏠'.repeat(64),
    '\ud800',
    'a\0',
    1,
    true,
  ),
  fc.string({ unit: 'binary' }),
  fc.anything({ maxDepth: 1 }),
);
const members = [
  'relation_id',
  'token',
  'center',
  'status',
  'technology',
  'customer_reference',
  'country',
  'address_id',
  'lot_id',
  'foo',
  '__proto__',
];
const valid = { relation_id: ID, token: 'planned', center: '48.2, 16.2' };

test('what is read fast is what is read slowly', () => {
  const reader = new PartReader(CreateAccessNodeRequest);
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...members), anything), fc.boolean(), (some, beginsValid) => {
      const sent = beginsValid ? { ...valid, ...some } : some;
      const invalid = new InvalidParts();
      const slow = readPart(CreateAccessNodeRequest, sent, 'body', invalid);
      expect(reader.read(sent)).toEqual(invalid.found.length === 0 ? slow : undefined);
    }),
    { numRuns: 3_000 },
  );
});

const check = (fields: Record<string, unknown>) =>
  new RowRules({}, undefined).check({ place: 1, fields: { ...valid, center: undefined, ...fields } });

test.each<[unknown, unknown, string]>([
  [48.2, 16.5, '48.2, 16.5'],
  [48.199999999999996, -0, '48.2, 0'],
  [1e-7, 100, '0.0000001, 100'],
  [1e-11, -180, '0, -180'],
  ['48.20', '016.5', '48.2, 16.5'],
])('latitude %j and longitude %j are the center %s', (latitude, longitude, center) => {
  expect(check({ latitude, longitude })).toMatchObject({
    node: { center: { latitude: center.split(', ')[0], longitude: center.split(', ')[1] } },
  });
});

test.each<[unknown, unknown, string, RegExp]>([
  ['', '16', 'latitude', /^is required$/],
  ['48', '', 'longitude', /^is required$/],
  ['48', undefined, 'longitude', /^is required$/],
  ['48,2', '16', 'latitude', /^has to be decimal degrees/],
  ['48', 'x', 'longitude', /^has to be decimal degrees/],
  ['48', '181', 'longitude', /^has to be within -180 and 180$/],
  ['91', '16', 'latitude', /^has to be within .*swapped\?$/],
  ['48.12345678901', '16', 'latitude', /^has more than 10 decimals$/],
  [Infinity, 16, 'latitude', /^is required$/],
])('latitude %j and longitude %j are refused by their column', (latitude, longitude, column, detail) => {
  expect(check({ latitude, longitude })).toEqual([{ column, detail: expect.stringMatching(detail) as string }]);
});
