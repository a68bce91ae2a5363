import { readingOf } from './reading.js';

const town = (name: string, hasStreet = false) => expect.objectContaining({ kind: 'town', name, hasStreet }) as unknown;

describe('readingOf', () => {
  it.each([
    ['48.2108, 16.3575', '48.2108, 16.3575'],
    ['48,2108; 16,3575', '48.2108, 16.3575'],
    ['48,16', '48, 16'],
    // With an error, which the service names.
    ['48.2, nowhere', '48.2, nowhere'],
    ['x; 16,3', 'x; 16,3'],
  ])('%s is a coordinate', (text, center) => {
    expect(readingOf(text)).toEqual({ kind: 'coordinate', center });
  });

  it.each(['1234567', 'ADR 1280/7', 'AT-4711', '9c1185a5', 'Haus 1', 'ADR.7', '100012345678', '12 34 5'])(
    '%s is the id of an address',
    (text) => {
      expect(readingOf(` ${text} `)).toEqual({ kind: 'address', id: text });
    },
  );

  it.each([
    ['Wien', 'Wien'],
    ['Kirchberg am Wagram, Lower Austria, Austria', 'Kirchberg am Wagram, Lower Austria, Austria'],
    ['St. Pölten', 'St. Pölten'],
    ['Steinweg-Dorf', 'Steinweg-Dorf'],
    ['3550 Langenlois', 'Langenlois'],
    ['A-3550 Langenlois', 'Langenlois'],
    ['3550, Langenlois', 'Langenlois'],
    ['3550 Langenlois, Österreich', 'Langenlois'],
    ['D-80331 München', 'München'],
    ['3430 Tulln an der Donau', 'Tulln an der Donau'],
    ['1010 Wien (Innere Stadt)', 'Wien'],
  ])('%s is the town %s', (text, name) => {
    expect(readingOf(text)).toEqual(town(name));
  });

  it.each([
    ['Hauptstraße 1, 3550 Langenlois', 'Langenlois'],
    ['Hauptstr. 1a, 3550 Langenlois', 'Langenlois'],
    ['Hauptstrasse 1/2/3, Langenlois', 'Langenlois'],
    ['Hauptstraße, Langenlois', 'Langenlois'],
    ['Langenlois, Hauptstraße 1', 'Langenlois'],
    ['3550 Langenlois, Hauptstraße 1', 'Langenlois'],
    ['Hauptstraße 1, 3550 Langenlois, Österreich', 'Langenlois'],
    ['Hauptstraße 1 3550 Langenlois', 'Langenlois'],
    ['Hauptstraße 1 Langenlois', 'Langenlois'],
    ['Rathausplatz 12b Krems an der Donau', 'Krems an der Donau'],
    ['Langenlois Hauptstraße 1', 'Langenlois'],
    ['Zöbing 12, 3561 Zöbing', 'Zöbing'],
    ['12 High Street, Oxford', 'Oxford'],
  ])('%s is a street in %s', (text, name) => {
    expect(readingOf(text)).toEqual(town(name, true));
  });

  it.each(['Hauptstraße 1', 'Hauptstraße', 'Am Ring 7', 'Alte Straße 5', '12 High Street'])('%s is a street without a town', (text) => {
    expect(readingOf(text)).toEqual({ kind: 'street' });
  });
});
