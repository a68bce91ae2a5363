import type { Response } from 'supertest';
import { nextOf } from './next-link.js';

const CURSOR = { parameter: '_page_cursor', detail: 'belongs to another listing, to other filters or to the other order' };
const ORDER = { parameter: '_order', detail: 'must be one of asc, desc' };

/**
 * Reads a listing in both orders, in pages of two, while a record is created after each page.
 *
 * @param listing path with the beginning of a query, such as `/isps/?`; it has five records or more, by the tenant of `get` alone
 * @param key name of the id
 * @returns what is wrong
 */
export async function faultsOfOrders(
  get: (path: string) => Promise<Response>,
  listing: string,
  key: string,
  create: () => Promise<unknown>,
): Promise<unknown[]> {
  const read = async (path: string): Promise<{ ids: string[]; next: URL | undefined; count: string | undefined }> => {
    const page = await get(path);
    const ids = (page.body as Record<string, string>[]).map((record) => record[key]!);
    return { ids, next: nextOf(page), count: page.headers['x-page-count'] };
  };
  const faults: unknown[] = [];
  const cursors: string[] = [];
  for (const order of ['', '_order=desc&']) {
    const { ids: oldest } = await read(`${listing}_order=asc`);
    if (oldest.length < 5 || oldest.join() !== [...oldest].sort().join()) faults.push(oldest);
    const expected = order === '' ? oldest : [...oldest].reverse();
    let page = await read(`${listing}${order}_page_size=2`);
    cursors.push(page.next!.searchParams.get('_page_cursor')!);
    const walked = page.ids;
    while (page.next && walked.length < expected.length) {
      await create();
      page = await read(`${page.next.pathname}${page.next.search}`);
      walked.push(...page.ids);
      if (page.count !== String(Math.ceil(expected.length / 2))) faults.push([order, page.count]);
    }
    // Forwards, the walk may go on to what was created after it began; backwards, it ends.
    const isWhole =
      order === '' ? walked.slice(0, expected.length).join() === expected.join() : walked.join() === expected.join() && !page.next;
    if (!isWhole) faults.push([order, walked, expected]);
  }
  for (const [query, error] of [
    [`_order=desc&_page_cursor=${cursors[0]!}`, CURSOR],
    [`_page_cursor=${cursors[1]!}`, CURSOR],
    ['_order=newest', ORDER],
  ] as const) {
    const answer = await get(`${listing}${query}`);
    const { errors } = answer.body as { errors?: unknown };
    if (answer.status !== 422 || JSON.stringify(errors) !== JSON.stringify([error])) faults.push([query, answer.status, errors]);
  }
  return faults;
}
