import 'reflect-metadata';
import { bind, refuseAll, type RequestPart } from './bind.js';
import { Check } from '@fibre/dto';
import { EnumField, IntegerField, TextField, UuidField } from '@fibre/dto';
import { type InvalidPart, jsonPointer } from '@fibre/problems';

class Wanted {
  @UuidField({ description: 'An id.' })
  id!: string;

  @EnumField(['red', 'blue'], { description: 'A colour.', presence: 'if-present' })
  colour?: string;

  @TextField(1, 3, { description: 'A name.', presence: 'optional' })
  name?: string | null;

  @IntegerField(1, 9, { description: 'A size.', presence: 'if-present', default: 5 })
  size: number = 5;

  @Check((value) => (value === undefined || typeof value === 'object' ? undefined : 'has to be an object'))
  more?: object;
}

const ID = 'AAAAAAAA-0000-0000-0000-000000000000';
function bound(sent: object, part: RequestPart = 'body'): { value: Wanted; errors: InvalidPart[] } {
  const errors: InvalidPart[] = [];
  return { value: bind(Wanted, sent, part, errors), errors };
}
const pointers = (sent: object): unknown[] => bound(sent).errors.map(({ pointer, parameter }) => pointer ?? parameter);

test('makes an instance, transformed and with its defaults', () => {
  const { value, errors } = bound({ id: ID, name: null }, 'query');
  expect(errors).toEqual([]);
  expect(value).toBeInstanceOf(Wanted);
  expect(value).toMatchObject({ id: ID.toLowerCase(), name: null, size: 5 });
});

test('null is absent for an optional member alone', () => {
  expect(pointers({ id: ID, name: null, colour: null })).toEqual(['#/colour']);
});

test('names every offender by its place, once', () => {
  expect(
    bound({ id: 1, colour: 'green', name: '', size: 0, other: 1 })
      .errors.map(({ pointer }) => pointer)
      .sort(),
  ).toEqual(['#/colour', '#/id', '#/name', '#/other', '#/size']);
  expect(bound({ colour: ['red', 'blue'], other: ['a', 'b'] }, 'query').errors).toEqual(
    expect.arrayContaining([
      { parameter: 'id', detail: 'has to be a UUID' },
      { parameter: 'colour', detail: 'is given more than once' },
      { parameter: 'other', detail: 'is not a parameter of this operation' },
    ]),
  );
  expect(bound({ colour: ['red', 'blue'], other: ['a', 'b'], id: ID }, 'query').errors).toHaveLength(2);
});

test('lets unknown headers through', () => {
  expect(bound({ id: ID, host: 'x', constructor: 'x' }, 'header').errors).toEqual([]);
});

test.each(['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty'])(
  'an unknown member %s is named like any other',
  (name) => {
    expect(pointers(JSON.parse(`{"id":"${ID}","${name}":{"colour":"red"}}`) as object)).toEqual([`#/${name}`]);
  },
);

test('hands nested values on as they came, however deep and whatever they are called', () => {
  const deep = JSON.parse(`${'{"constructor":'.repeat(100_000)}1${'}'.repeat(100_000)}`) as object;
  const { value, errors } = bound({ id: ID, more: deep });
  expect(errors).toEqual([]);
  expect(value.more).toBe(deep);
  expect(pointers({ id: ID, name: deep, colour: [deep] })).toEqual(['#/colour', '#/name']);
});

test('a flood of unknown members is named in part and costs little', () => {
  const flood = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`x${index}`, 0]));
  expect(bound({ id: ID, ...flood }).errors).toHaveLength(100);
});

test('refuses what an operation does not take at all', () => {
  const errors: InvalidPart[] = [];
  refuseAll(['a', '__proto__'], 'query', errors);
  expect(errors).toEqual(['a', '__proto__'].map((parameter) => ({ parameter, detail: 'is not a parameter of this operation' })));
});

test('a pointer is a URI fragment that any member name survives', () => {
  expect(jsonPointer(['a/b', 'c~d', 'é %'])).toBe('#/a~1b/c~0d/%C3%A9%20%25');
  expect(jsonPointer(['\ud800'])).toBe('#/%EF%BF%BD');
});
