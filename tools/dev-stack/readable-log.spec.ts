import { readableLog } from './readable-log.js';

const line = (level: string, msg: string) => JSON.stringify({ level, time: '2026-02-01T16:00:14.305Z', service: 'some-service', msg });

describe('readableLog', () => {
  it('leaves out what is below a warning', () => {
    expect(readableLog(line('info', 'request completed'))).toBeUndefined();
  });

  it('shows a warning in one plain line', () => {
    expect(readableLog(line('warn', 'pool is exhausted'))).toMatch(/^\[.+\] WARN: pool is exhausted$/);
  });

  it('shows everything when asked to', () => {
    expect(readableLog(line('trace', 'a detail'), 'trace')).toContain('TRACE: a detail');
  });

  it.each(['Error: boom', '{ not json', '{"a":1}', ''])('passes %j, which is no log line, as it is', (text) => {
    expect(readableLog(text)).toBe(text);
  });
});
