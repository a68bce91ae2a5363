import LinkHeader from 'http-link-header';
import { type Answer, type Api, type CallOptions } from './api.js';
import { check } from './check.js';

/** Every page of a listing: the first by its path, each further one by the `next` link of the page before. */
export async function* pages<T>(api: Api, path: string, query: CallOptions['query'] = {}): AsyncGenerator<Answer<T[]>> {
  let page = await api.call<T[]>('GET', path, { query });
  for (;;) {
    check(`status of GET ${page.url}`, page.status, 200);
    yield page;
    const [next] = LinkHeader.parse(page.headers.get('link') ?? '').rel('next');
    if (!next) return;
    page = await api.call<T[]>('GET', next.uri);
  }
}
