import { Refusal, toRefusal } from './refusal.js';

const answer = (status: number, headers: Record<string, string> = {}) => new Response(null, { status, headers });

test('what is wrong is found by the field that a pointer or a parameter names', () => {
  const errors = [
    { pointer: '#/name', detail: 'is too long' },
    { pointer: '#/name', detail: 'is taken' },
    { pointer: '#/sys_attributes/partner_id', detail: 'is no UUID' },
    { pointer: '#/a~1b~0c%20d', detail: 'is odd' },
    { parameter: '_page_size', detail: 'is too large' },
  ];
  expect([...toRefusal(answer(422), { errors }).byField]).toEqual([
    ['name', 'is too long is taken'],
    ['sys_attributes.partner_id', 'is no UUID'],
    ['a/b~c d', 'is odd'],
    ['_page_size', 'is too large'],
  ]);
});

test('Retry-After is seconds or a date', () => {
  expect(toRefusal(answer(503, { 'retry-after': '3' }), {}).retryAfter).toBe(3);
  const soon = toRefusal(answer(503, { 'retry-after': new Date(Date.now() + 10_000).toUTCString() }), {}).retryAfter!;
  expect(soon).toBeGreaterThan(7);
  expect(soon).toBeLessThanOrEqual(10);
  expect(toRefusal(answer(503, { 'retry-after': 'later' }), {}).retryAfter).toBeUndefined();
  expect(toRefusal(answer(503), {}).retryAfter).toBeUndefined();
});

test('an answer of a proxy is a refusal without words of its own', () => {
  const refusal = toRefusal(answer(502), '<html>Bad Gateway</html>');
  expect([refusal.status, refusal.code, refusal.isPassing]).toEqual([502, undefined, true]);
});

test('only what may succeed by itself the next time is passing', () => {
  const passing = [0, 400, 401, 403, 404, 408, 409, 412, 422, 429, 500, 502, 503, 504].filter((status) => new Refusal(status).isPassing);
  expect(passing).toEqual([0, 408, 429, 502, 503, 504]);
});
