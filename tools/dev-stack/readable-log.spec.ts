import { readableLog } from './readable-log.js';

it('shows a log line in one plain line', () => {
  const line = { level: 'warn', time: '2026-02-01T16:00:14.305Z', service: 'some-service', msg: 'pool is exhausted' };
  expect(readableLog(JSON.stringify(line))).toMatch(/^\[.+\] WARN: pool is exhausted$/);
});

it.each(['Error: boom', '{ not json', '{"level": not json', '{"a":1}', ''])('passes %j, which is no log line, as it is', (text) => {
  expect(readableLog(text)).toBe(text);
});
