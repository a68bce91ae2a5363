import 'reflect-metadata';
import { EnumField, Field, IntegerField, IntegerParameter, Satisfies, TextField, Timestamp, TimestampField, UuidField } from '@fibre/dto';
import { type InvalidPart, invalidRequest, jsonPointer, MAX_INVALID_PARTS } from '@fibre/problems';
import type { Type } from '@nestjs/common';
import { IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { IsEmail, ValidateNested } from 'class-validator';
import { InvalidParts, readPart, type RequestPart } from './request-part.js';

class Inner {
  @TextField(1, 3, { description: 'A name.' })
  name!: string;
}

class Wanted {
  @UuidField({ description: 'An id.' })
  id!: string;

  @EnumField(['red', 'blue'], { description: 'A colour.', presence: 'if-present' })
  colour?: string;

  @TextField(1, 3, { description: 'A name.', presence: 'optional' })
  name?: string | null;

  @IntegerParameter(1, 9, { description: 'A size.', presence: 'if-present', default: 5 })
  size: number = 5;

  @IntegerField(1, 9, { description: 'A number in a body.', presence: 'if-present' })
  count?: number;

  @Field(
    { description: 'Anything.', presence: 'if-present' },
    { type: Object },
    Satisfies((value) => (typeof value === 'object' ? undefined : 'must be an object')),
  )
  more?: object;

  @Field(
    {
      description: 'An object.',
      presence: 'if-present',
      nested: ({ colour }) => (colour === 'red' ? Inner : undefined),
      mistakenFor: ['inside'],
    },
    { type: Object },
    ValidateNested(),
  )
  inner?: Inner;
}

const ID = 'AAAAAAAA-0000-0000-0000-000000000000';
function read(sent: object, part: RequestPart = 'body'): { value: Wanted; errors: InvalidPart[] } {
  const invalid = new InvalidParts();
  return { value: readPart(Wanted, sent, part, invalid), errors: invalid.found };
}
const offenders = (sent: object): unknown[] =>
  read(sent)
    .errors.map(({ pointer, parameter }) => pointer ?? parameter)
    .sort();

test('makes an instance with parsed values and defaults', () => {
  const { value, errors } = read({ id: ID, name: null, size: '7' }, 'query');
  expect(errors).toEqual([]);
  expect(value).toBeInstanceOf(Wanted);
  expect(value).toMatchObject({ id: ID.toLowerCase(), name: null, size: 7 });
  expect(read({ id: ID }).value.size).toBe(5);
});

test('null counts as absent only for an optional member', () => {
  expect(offenders({ id: ID, name: null, colour: null })).toEqual(['#/colour']);
});

test('a number must be a JSON number in a body, and text in a query', () => {
  expect(offenders({ id: ID, count: '3' })).toEqual(['#/count']);
  expect(offenders({ id: ID, count: 3 })).toEqual([]);
  expect(read({ id: ID, size: '3' }, 'query').value.size).toBe(3);
});

test('lists every invalid part once, with its location, and says what a missing part must be', () => {
  expect(offenders({ id: 1, colour: 'green', name: '', size: 0, other: 1 })).toEqual(['#/colour', '#/id', '#/name', '#/other', '#/size']);
  const { errors } = read({ colour: ['red', 'blue'], other: ['a', 'b'] }, 'query');
  expect(errors).toHaveLength(3);
  expect(errors).toEqual(
    expect.arrayContaining([
      { parameter: 'id', detail: 'is required' },
      { parameter: 'colour', detail: 'is repeated' },
      { parameter: 'other', detail: 'is not a parameter of this operation; allowed: id, colour, name, size, count, more, inner' },
    ]),
  );
});

test('suggests what the client may have meant', () => {
  expect(read({ id: ID, inside: 1 }, 'query').errors).toEqual([
    { parameter: 'inside', detail: 'is not a parameter of this operation; did you mean inner?' },
  ]);
});

test('a nested object gets the class that its siblings determine', () => {
  expect(read({ id: ID, colour: 'red', inner: { name: 'a' } }).value.inner).toBeInstanceOf(Inner);
  expect(offenders({ id: ID, colour: 'red', inner: { name: '', other: 1 } })).toEqual(['#/inner/name', '#/inner/other']);
  expect(offenders({ id: ID, colour: 'green', inner: { constructor: null } })).toEqual(['#/colour']);
});

test('allows unknown headers', () => {
  expect(read({ id: ID, host: 'x', constructor: 'x' }, 'header').errors).toEqual([]);
});

const SPECIAL = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'isPrototypeOf',
  '__defineGetter__',
  'then',
];
test.each(SPECIAL)('an unknown member %s is listed like any other', (name) => {
  for (const value of ['{"colour":"red"}', 'null', '1']) {
    expect(offenders(JSON.parse(`{"id":"${ID}","${name}":${value}}`) as object)).toEqual([`#/${name}`]);
    expect(offenders(JSON.parse(`{"id":"${ID}","colour":"red","inner":{"name":"a","${name}":${value}}}`) as object)).toEqual([
      `#/inner/${name}`,
    ]);
  }
});

test('passes nested values on unchanged, whatever their names', () => {
  const deep = JSON.parse(`${'{"constructor":'.repeat(30)}null${'}'.repeat(30)}`) as object;
  const { value, errors } = read({ id: ID, more: deep });
  expect(errors).toEqual([]);
  expect(value.more).toBe(deep);
  expect(offenders({ id: ID, name: deep, colour: [deep] })).toEqual(['#/colour', '#/name']);
});

test('a long list of unknown members is cut short, and so is a long name', () => {
  const flood = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`${'x'.repeat(90)}${index}`, 0]));
  const { errors } = read({ id: ID, ...flood });
  expect(errors).toHaveLength(MAX_INVALID_PARTS);
  expect(JSON.stringify(errors).length).toBeLessThan(32_768);
  for (const name of ['x'.repeat(1_000_000), '\u0000'.repeat(1_000_000), '😀'.repeat(500_000), '\ud800'.repeat(1_000_000)]) {
    expect(JSON.stringify(read({ id: ID, [name]: 0 }).errors).length).toBeLessThan(500);
    expect(JSON.stringify(read({ id: ID, [name]: '0' }, 'query').errors).length).toBeLessThan(1_000);
  }
});

test('the detail of a problem names ten parts, and says how many more there are', () => {
  const parts = Array.from({ length: 12 }, (_each, index) => ({ parameter: `p${index}`, detail: 'is wrong' }));
  const named = parts.map(({ parameter }) => `${parameter}: is wrong`);
  expect(invalidRequest(parts.slice(0, 10)).message).toBe(named.slice(0, 10).join('; '));
  expect(invalidRequest(parts).message).toBe([...named.slice(0, 10), 'and 2 more'].join('; '));
});

test('a pointer is a URI fragment for any member name', () => {
  expect(jsonPointer(['a/b', 'c~d', 'é %'])).toBe('#/a~1b/c~0d/%C3%A9%20%25');
  expect(jsonPointer(['\ud800'])).toBe('#/%EF%BF%BD');
});

describe("a class made by Nest's mapped types reads its members like the classes that it is made of", () => {
  class Ids {
    @UuidField({ description: 'An id' })
    id!: string;
  }
  class Times {
    @TimestampField({ description: 'A time' })
    at!: Timestamp;
    @IntegerParameter(1, 10, { description: 'A size' })
    size!: number;
  }
  class Both extends IntersectionType(Ids, Times) {}
  class Picked extends PickType(Times, ['at']) {}
  class Without extends OmitType(Times, ['size']) {}
  class Inherited extends Both {}
  const sent = { id: '0192D3A5-0000-7000-8000-00000000000A', at: '2026-02-01T16:00:00Z', size: '7' };

  test.each([
    ['IntersectionType', Both, ['id', 'at', 'size']],
    ['PickType', Picked, ['at']],
    ['OmitType', Without, ['at']],
    ['PartialType', PartialType(Both), ['id', 'at', 'size']],
    ['a class that extends one', Inherited, ['id', 'at', 'size']],
  ] as const)('%s', (_what, type, names) => {
    const invalid = new InvalidParts();
    const part = Object.fromEntries(names.map((name) => [name, sent[name]]));
    const read = readPart(type as Type<object>, part, 'query', invalid) as Partial<Both>;
    expect(invalid.found).toEqual([]);
    if ('id' in part) expect(read.id).toBe(sent.id.toLowerCase());
    expect(read.at).toBeInstanceOf(Timestamp);
    if ('size' in part) expect(read.size).toBe(7);
  });
});

class Texts {
  @UuidField({ description: 'An id.' })
  id!: string;

  @EnumField(['red'], { description: 'A colour.' })
  colour!: string;

  @TimestampField({ description: 'A time.', presence: 'optional' })
  at!: string;

  // On half of a surrogate pair, this throws a URIError.
  @Field({ description: 'An address.', presence: 'if-present' }, { type: String }, IsEmail({}, { message: 'must be an email address' }))
  email!: string;

  @Field(
    { description: 'Whatever has an a.', presence: 'by-rule' },
    { type: String },
    Satisfies((value) => (encodeURIComponent(value as string).includes('a') ? undefined : 'must have an a')),
  )
  free!: string;
}

test('a rule of any field only sees text that can be stored', () => {
  for (const [sent, detail] of [
    ['a\ud800@b.example', 'contains half of a surrogate pair, which is not a character'],
    ['a\0@b.example', 'must not contain the NUL character'],
  ] as const) {
    const invalid = new InvalidParts();
    readPart(Texts, { id: sent, colour: sent, at: sent, email: sent, free: sent }, 'body', invalid);
    expect(invalid.found).toEqual(['id', 'colour', 'at', 'email', 'free'].map((name) => ({ pointer: `#/${name}`, detail })));
  }
});
