import fc from 'fast-check';
import { Center } from './center.js';

/** What may be a coordinate, but can be out of range or have too many digits. */
const almost = fc.stringMatching(/^-?\d{1,4}(\.\d{0,12})?, ?-?\d{1,4}(\.\d{0,12})?$/);
const SHAPE = /^-?\d{1,3}(\.\d{1,10})?, ?-?\d{1,3}(\.\d{1,10})?$/;

test('a text is a center if and only if both numbers are in range, and the numbers stay the same', () => {
  fc.assert(
    fc.property(almost, (text) => {
      const [latitude, longitude] = text.split(',').map(Number) as [number, number];
      const center = Center.parse(text);
      expect(center instanceof Center).toBe(SHAPE.test(text) && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180);
      if (!(center instanceof Center)) return;
      // Plus 0 turns a negative zero into zero.
      expect([Number(center.latitude), Number(center.longitude)]).toEqual([latitude + 0, longitude + 0]);
      expect(Center.parse(`${center.latitude}, ${center.longitude}`)).toEqual(center);
    }),
  );
});

test('reading any other text does not throw', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => SHAPE.test(text) || typeof Center.parse(text) === 'string'));
});
