import {
  AbortedError,
  ApiError,
  ConnectionError,
  FibreError,
  TimeoutError,
  TokenError,
  TooManyRowsError,
  UnexpectedAnswerError,
} from '@fibre/client';
import { Refusal, refusedAt, toRefusal } from './refusal.js';

test('errors are keyed by the field that a pointer or a parameter names', () => {
  const errors = [
    { pointer: '#/name', detail: 'is too long' },
    { pointer: '#/name', detail: 'is taken' },
    { pointer: '#/sys_attributes/partner_id', detail: 'is no UUID' },
    { pointer: '#/a~1b~0c%20d', detail: 'is odd' },
    { parameter: '_page_size', detail: 'is too large' },
  ];
  expect([...new Refusal(422, { code: 'invalid-request', errors }).byField]).toEqual([
    ['name', { text: 'is too long\nis taken', lang: 'en' }],
    ['sys_attributes.partner_id', { text: 'is no UUID', lang: 'en' }],
    ['a/b~c d', { text: 'is odd', lang: 'en' }],
    ['_page_size', { text: 'is too large', lang: 'en' }],
  ]);
});

test('errors found by the portal itself are in the language of the page', () => {
  expect(refusedAt('at', 'Unvollständig').byField.get('at')).toEqual({ text: 'Unvollständig' });
});

test('an error from the service keeps its status, code and retry delay', () => {
  const response = new Response(null, { status: 503, headers: { 'retry-after': '3' } });
  expect(toRefusal(new ApiError(response, { code: 'unavailable' }))).toMatchObject({
    name: 'Refusal',
    status: 503,
    code: 'unavailable',
    retryAfter: 3,
  });
});

test.each([
  [new TokenError('The person chose not to sign in again'), 401],
  [new ConnectionError('got no complete response'), 0],
  [new TimeoutError('did not respond'), 0],
  [new UnexpectedAnswerError('cannot be read'), 0],
])('%s has the status %i', (error, status) => {
  expect(toRefusal(error)).toMatchObject({ name: 'Refusal', status });
});

test('a fault within a file is told in the words of the service, and not as a lost connection', () => {
  const refusal = toRefusal(new FibreError('The file contains bytes that are not UTF-8, line 200.'));
  expect(refusal).toMatchObject({ status: 422, problem: { detail: 'The file contains bytes that are not UTF-8, line 200.' } });
});

test('too many rows for a spreadsheet are told with a way out, and trying again is not one', () => {
  const refusal = toRefusal(new TooManyRowsError('use CSV'));
  expect(refusal).toMatchObject({ status: 422, code: 'too-many-rows', problem: { detail: 'use CSV' } });
});

test.each([new AbortedError('Aborted'), new TypeError('a defect'), new Refusal(422), undefined])('%s is returned unchanged', (error) => {
  expect(toRefusal(error)).toBe(error);
});

test('only errors that may go away by themselves count as temporary', () => {
  const passing = [0, 400, 401, 403, 404, 408, 409, 412, 422, 429, 500, 502, 503, 504].filter((status) => new Refusal(status).isPassing);
  expect(passing).toEqual([0, 408, 429, 502, 503, 504]);
});
