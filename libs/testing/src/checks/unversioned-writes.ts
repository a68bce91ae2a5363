import { type MarkedDocument, markedRequests } from './marked-requests.js';

const HEADERS = ['if-match', 'if-none-match'];

/**
 * Sends every write of an OpenAPI document with conditions.
 *
 * @returns what is wrong: a write that does not declare such a header must name it in a 422, and one that does must not
 */
export async function faultsOfConditions(document: MarkedDocument, url: string, token: string): Promise<unknown[]> {
  const faults: unknown[] = [];
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations).filter(([each]) => each !== 'get')) {
      const [request] = markedRequests({ ...document, paths: { [path]: { [method]: operation } } });
      const { headers, body } = request!;
      const conditions = Object.fromEntries(HEADERS.map((name) => [name, '"1"']));
      const answer = await fetch(url + request!.path, {
        method: method.toUpperCase(),
        body,
        headers: { authorization: `Bearer ${token}`, ...headers, ...conditions },
      });
      const { errors = [] } = JSON.parse((await answer.text()) || '{}') as { errors?: { parameter?: string }[] };
      const refused = HEADERS.filter((name) => errors.some(({ parameter }) => parameter === name));
      const declared = (operation.parameters ?? []).map(({ name }) => name.toLowerCase());
      const expected = HEADERS.filter((name) => !declared.includes(name));
      if (refused.join() !== expected.join()) faults.push({ method, path, status: answer.status, refused, expected });
    }
  }
  return faults;
}
