import { Problem } from '@fibre/problems';
import fc from 'fast-check';
import { inspectJson } from './json-text.js';

const json = fc
  .tuple(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(0, 2))
  .map(([value, space]) => JSON.stringify(value, undefined, space));

test('every JSON text that JavaScript writes is read unchanged', () => {
  fc.assert(fc.property(json, (text) => inspectJson(text) === text));
});

/** A JSON text with a part that was removed or replaced. */
const damaged = fc
  .tuple(
    json,
    fc.nat(),
    fc.nat({ max: 3 }),
    fc.oneof(fc.constantFrom('"', '\\', '{', ']', ',', ':', '-', '1e', ''), fc.string({ maxLength: 3 })),
  )
  .map(([text, at, length, put]) => {
    const from = at % (text.length + 1);
    return text.slice(0, from) + put + text.slice(from + length);
  });
const parses = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

test('a damaged text gets a problem or remains as valid or invalid as it was', () => {
  fc.assert(
    fc.property(fc.oneof(damaged, fc.string({ unit: 'binary' })), (text) => {
      let inspected: string;
      try {
        inspected = inspectJson(text);
      } catch (error) {
        expect(error).toBeInstanceOf(Problem);
        return;
      }
      expect(parses(inspected)).toBe(parses(text));
    }),
  );
});

test('a name that occurs twice in an object is refused, however it is escaped and wherever the object is', () => {
  const escaped = (name: string): string =>
    [...Array(name.length).keys()].map((at) => `\\u${name.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), json, json, (name, first, second) => {
      const text = `[${first},{${JSON.stringify(name)}:${first},"${escaped(name)}" :${second}}]`;
      expect(() => inspectJson(text)).toThrow('two members called');
    }),
  );
});
