import { Problem } from '@fibre/problems';
import fc from 'fast-check';
import { bearerToken } from './authentication.js';

const read = (...authorization: string[]): string | undefined => {
  try {
    return bearerToken({ headersDistinct: { authorization } });
  } catch (error) {
    expect(error).toBeInstanceOf(Problem);
    return undefined;
  }
};
const scheme = fc.tuple(...[...'bearer'].map((letter) => fc.constantFrom(letter, letter.toUpperCase()))).map((letters) => letters.join(''));
const token = fc.stringMatching(/^[A-Za-z0-9\-._~+/]{1,40}={0,2}$/);
const NOT_IN_A_TOKEN = fc.stringMatching(/^[^A-Za-z0-9\-._~+/=]$/);

test('a bearer token is read as it was sent, whatever the case of the scheme', () => {
  fc.assert(fc.property(scheme, token, (word, sent) => read(`${word} ${sent}`) === sent));
});

test('a header with any other character, another scheme or a second header is refused', () => {
  fc.assert(
    fc.property(token, fc.nat(), NOT_IN_A_TOKEN, fc.string({ unit: 'binary' }), (sent, at, strange, any) => {
      const place = at % (sent.length + 1);
      const header = `Bearer ${sent.slice(0, place)}${strange}${sent.slice(place)}`;
      expect([read(header), read(any), read(`Bearer ${sent}`, any), read(`Basic ${sent}`)]).toEqual([
        undefined,
        undefined,
        undefined,
        undefined,
      ]);
    }),
  );
});
