import type { Response } from 'supertest';
import { nextOf } from '../next-link.js';
import { volume } from '../volume.js';

/** Bytes of a cursor's numbers: the number of records after the 16 bytes of an id, and two more after the 8 bytes of a digest. */
const [NUMBER_BYTES, NUMBERS_AT] = [6, [16, 30, 36]];
const NUMBERS = [0, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32, Date.UTC(2027, 0), 2 ** 48 - 1];
const MAX_COUNT = 2 ** 31 - 1;

/** Cursors that differ from this one in a single byte or number. */
function* editsOf(cursor: string): Generator<Buffer> {
  const bytes = Buffer.from(cursor, 'base64url');
  for (const [index, byte] of bytes.entries()) {
    for (const other of volume([byte ^ 1], [byte ^ 1, byte ^ 0x80, 0, 0xff])) {
      const edited = Buffer.from(bytes);
      edited[index] = other;
      yield edited;
    }
  }
  for (const start of NUMBERS_AT.filter((at) => at < bytes.length)) {
    const number = bytes.readUIntBE(start, NUMBER_BYTES);
    for (const other of [...NUMBERS, number + 1, number + 1_000, number + 3_600_000, Math.max(0, number - 1)]) {
      const edited = Buffer.from(bytes);
      edited.writeUIntBE(other, start, NUMBER_BYTES);
      yield edited;
    }
  }
}

/**
 * Requests the page after `first` with cursors that a client has edited. Each must be rejected, or lead to a page like any other.
 *
 * @param settleMs milliseconds until a write is settled
 * @returns what is wrong with the responses
 */
export async function faultsOfEditedCursors(get: (path: string) => Promise<Response>, first: string, settleMs: number): Promise<unknown[]> {
  const url = nextOf(await get(first));
  if (url === undefined) return [`${first} has no next page`];
  const faults: unknown[] = [];
  for (const edited of editsOf(url.searchParams.get('_page_cursor')!)) {
    url.searchParams.set('_page_cursor', edited.toString('base64url'));
    const answer = await get(`${url.pathname}${url.search}`);
    const fault = faultOf(answer, Date.now() - settleMs);
    if (fault !== undefined) faults.push([first, edited.toString('hex'), fault]);
  }
  return faults;
}

function faultOf({ status, headers, body }: Response, latest: number): unknown {
  if (status === 410) return undefined;
  if (status === 422) {
    const [error] = (body as { errors: [{ parameter?: string }] }).errors;
    // As if the earlier of two instants had been later.
    return ['_page_cursor', 'recorded_from'].includes(error.parameter ?? '') ? undefined : error;
  }
  if (status !== 200) return [status, body];
  const isLate = (name: string): boolean => headers[name] !== undefined && !(Date.parse(headers[name]) <= latest);
  if (isLate('x-recorded-until') || isLate('x-settled-until')) return headers;
  const count = headers['x-page-count'];
  return count === undefined || Number(count) <= MAX_COUNT ? undefined : headers;
}
