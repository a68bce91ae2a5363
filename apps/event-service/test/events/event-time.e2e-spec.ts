import type { TestService } from '@fibre/testing';
import { type Events, newEntity, notification, offenders, startEvents } from './events.js';

let service: TestService;
let put: Events['put'];
let refused: Events['refused'];

beforeAll(async () => {
  ({ service, put, refused } = await startEvents());
});
afterAll(() => service.close());

describe('event_at and event_timezone', () => {
  const at = (event_at: string, event_timezone?: string) => notification(newEntity(), 1, { event_at, event_timezone });

  test('an offset that is wrong for the zone is rejected, and the error names the right one', async () => {
    const cases: [string, string | undefined, string][] = [
      ['2026-07-01T12:00:00+01:00', undefined, '+02:00'],
      ['2026-01-01T12:00:00Z', undefined, '+01:00'],
      ['2026-03-29T02:30:00+01:00', 'Europe/Vienna', '+02:00'],
      ['2026-07-01T12:00:00+05:00', 'Asia/Calcutta', '+05:30'],
      ['1850-01-01T12:00:00+01:05', 'Europe/Vienna', '+01:05:21'],
    ];
    for (const [event_at, zone, expected] of cases) {
      const response = await put(at(event_at, zone));
      expect([response.status, ...offenders(response)]).toEqual([422, '#/event_at']);
      expect(response.body.errors[0].detail).toContain(`${expected} at that instant`);
    }
  });

  test('a wrong offset is named beside every other fault', async () => {
    const response = await put({ ...at('2026-07-01T12:00:00+01:00'), entity_id: '1', comment: '', more: 1 });
    expect([response.status, ...offenders(response).sort()]).toEqual([422, '#/comment', '#/entity_id', '#/event_at', '#/more']);
    expect(response.body.errors.at(-1).detail).toMatch(/has the offset .* \(tz database \d{4}[a-z]+\)$/);
  });

  test('zeros after the microseconds are accepted, and other digits are refused with what to do', async () => {
    const body = at('2026-02-01T16:00:00.1234560+01:00');
    const first = await put(body);
    expect([first.status, first.body.event_at]).toEqual([201, '2026-02-01T15:00:00.123456+00:00']);
    expect((await put({ ...body, event_at: '2026-02-01T16:00:00.123456000+01:00' })).status).toBe(200);
    const response = await put({ ...body, event_at: '2026-02-01T16:00:00.123456789+01:00' });
    expect([response.status, response.body.errors[0].detail]).toEqual([
      422,
      'has 9 decimals, of which at most 6 are kept; truncate to microseconds',
    ]);
  });

  test('aliases of zone names are kept as sent, and a time in the repeated hour can be two instants', async () => {
    for (const zone of ['Asia/Calcutta', 'Asia/Kolkata']) {
      const response = await put(at('2026-07-01T12:00:00+05:30', zone));
      expect([response.status, response.body.event_timezone, response.body.event_at]).toEqual([201, zone, '2026-07-01T06:30:00.000+00:00']);
    }
    for (const [offset, utc] of [
      ['+02:00', '00'],
      ['+01:00', '01'],
    ]) {
      expect((await put(at(`2026-10-25T02:30:00${offset}`))).body.event_at).toBe(`2026-10-25T${utc}:30:00.000+00:00`);
    }
    expect(await refused(at('2026-07-01T12:00:00+02:00', 'europe/vienna'))).toEqual(['#/event_timezone']);
  });

  test('microseconds are kept, and a returned event_at can be sent back', async () => {
    const shown = {
      '.1': '.100',
      '.123': '.123',
      '.1234': '.123400',
      '.123456': '.123456',
      '.000001': '.000001',
      '.999999': '.999999',
      '.120000': '.120',
    };
    for (const [sent, expected] of Object.entries(shown)) {
      const body = at(`2026-02-01T16:00:00${sent}+01:00`);
      const first = await put(body);
      expect(first.body.event_at).toBe(`2026-02-01T15:00:00${expected}+00:00`);
      const again = await put({ ...body, event_at: first.body.event_at, event_timezone: 'UTC' });
      expect([again.status, again.body]).toEqual([200, first.body]);
    }
  });

  test('the years 1 to 9999 are accepted', async () => {
    for (const [sent, expected] of [
      ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000+00:00'],
      ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999999+00:00'],
    ]) {
      const response = await put(at(sent!, 'UTC'));
      expect([response.status, response.body.event_at]).toEqual([201, expected]);
    }
    for (const sent of ['0000-12-31T23:59:59Z', '0001-01-01T00:00:00+05:30', '9999-12-31T23:59:59-05:00'])
      expect(await refused(at(sent, 'Etc/GMT+5'))).toContain('#/event_at');
  });
});
