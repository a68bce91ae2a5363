import LinkHeader from 'http-link-header';
import type { Response } from 'supertest';
import type { Client, Node } from '../access-nodes/access-nodes.js';

/** The exact form of the header: unquoted relations, `self` before `next`. */
const LINK = /^<[^<>]+>; rel=self(, <[^<>]+>; rel=next)?$/;

/** The links of a page by relation. */
export function linksOf(answer: Response): { self: URL; next?: URL } {
  const header = answer.headers['link'] as string;
  expect(header).toMatch(LINK);
  const links = LinkHeader.parse(header);
  const [self, next] = ['self', 'next'].map((rel) => links.rel(rel)[0]?.uri);
  return { self: new URL(self!), ...(next !== undefined && { next: new URL(next) }) };
}

/** Walks a listing to its end by following `next`; `between` is called after each page. */
export async function walk(
  client: Client,
  first: string,
  between: (page: Node[], answer: Response) => Promise<void> | void = () => undefined,
): Promise<Node[]> {
  const walked: Node[] = [];
  for (let url: string | undefined = first; url !== undefined;) {
    const answer: Response = await client.get(url);
    if (answer.status !== 200) throw new Error(`the walk broke at ${url}: ${answer.status} ${answer.text}`);
    const page = answer.body as Node[];
    walked.push(...page);
    await between(page, answer);
    const { next } = linksOf(answer);
    url = next && `${next.pathname}${next.search}`;
  }
  return walked;
}
