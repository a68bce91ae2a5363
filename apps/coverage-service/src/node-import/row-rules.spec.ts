import { RowRules } from './row-rules.js';

const valid = { relation_id: '7F2A1C9E-53B0-4D1C-9A3E-6F0D5B8E2C41', token: 'planned' };
const check = (fields: Record<string, unknown>) => new RowRules({}, {}).check({ place: 1, sent: '', fields: { ...valid, ...fields } });

test.each<[unknown, unknown, string]>([
  [48.2, 16.5, '48.2, 16.5'],
  [48.199999999999996, -0, '48.2, 0'],
  [1e-7, 100, '0.0000001, 100'],
  [1e-11, -180, '0, -180'],
  ['48.20', '016.5', '48.2, 16.5'],
  ['48.12345678901', '16.99999999999', '48.123456789, 17'],
])('latitude %j and longitude %j are the center %s', (latitude, longitude, center) => {
  expect(check({ latitude, longitude })).toMatchObject({ center: { latitude: center.split(', ')[0], longitude: center.split(', ')[1] } });
});

test.each<[unknown, unknown, string, RegExp]>([
  ['', '16', 'latitude', /^is required$/],
  ['48', '', 'longitude', /^is required$/],
  ['48', undefined, 'longitude', /^is required$/],
  ['48,2', '16', 'latitude', /^must be decimal degrees/],
  ['48', 'x', 'longitude', /^must be decimal degrees/],
  ['48', '181', 'longitude', /^must be between -180 and 180$/],
  ['91', '16', 'latitude', /^must be between .*swapped\?$/],
  ['0x30', '16', 'latitude', /^must be decimal degrees/],
  ['1e1', '16', 'latitude', /^must be decimal degrees/],
  [true, 16, 'latitude', /^must be decimal degrees/],
  [Infinity, 16, 'latitude', /^must be decimal degrees/],
])('latitude %j and longitude %j are rejected, and the fault names the column', (latitude, longitude, column, detail) => {
  expect(check({ latitude, longitude })).toEqual([{ column, detail: expect.stringMatching(detail) as string }]);
});
