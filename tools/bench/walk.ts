import { type BenchRequest, send } from './requests.js';
import type { Server } from './running.js';

export const PAGE_SIZE = 2_000;
/** Pages of a walk that are asked for again and again. */
const MAX_PAGES = 100;

/** The pages of a listing after its first one, by the `next` links of the service; no more than `most`. */
export async function walk(service: Server, firstPage: string, token: string, most = MAX_PAGES): Promise<BenchRequest[]> {
  const pages: BenchRequest[] = [];
  for (let path = firstPage; pages.length < most; path = pages.at(-1)!.path) {
    const { headers } = await send(service, { path }, token);
    const next = /<([^>]+)>; rel=next/.exec(headers.get('link') ?? '')?.[1];
    if (next === undefined) break;
    const { pathname, search } = new URL(next, service.url);
    pages.push({ path: pathname + search });
  }
  if (pages.length === 0) throw new Error(`${firstPage} is the only page of its listing: load more records`);
  return pages;
}
