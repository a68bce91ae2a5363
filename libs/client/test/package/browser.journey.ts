import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { type Browser, launchChromium, type Page } from '../../../../extra/browser.js';
import type { ApiError, FibreClient } from '../../src/index.js';
import { bundle, freshProject } from './fresh-project.js';
import { hangUp, json, scriptedServer, type Step, unavailable } from '../scripted-server.js';

declare global {
  var fibre: FibreClient;
}
const PACKAGE = `import { FibreClient } from '@fibre/client'; globalThis.fibre = new FibreClient({ coverageUrl: '', token: () => 'token' });`;
const RESULT = { rows: 2, created: 2, updated: 0, unchanged: 0, refused: 0, errors: [] };

let folder: string;
let script: string;
let browser: Browser;
before(async () => {
  folder = await freshProject();
  script = await bundle(folder, PACKAGE);
  browser = await launchChromium();
});
after(async () => {
  await browser?.close();
  if (folder) await rm(folder, { recursive: true });
});

/** Runs `program` in a page from a server that sends these responses. @returns its result, and what the server received */
async function inPage<T>(steps: Step[], program: (page: Page) => Promise<T>) {
  const page: Step = (_request, response) => response.setHeader('content-type', 'text/html').end('<link rel="icon" href="data:,">');
  const server = await scriptedServer(page, ...steps);
  const tab = await browser.newPage();
  try {
    await tab.goto(server.url);
    await tab.addScriptTag({ content: script, type: 'module' });
    // The module script may only run after the page has loaded.
    await tab.waitForFunction(() => 'fibre' in globalThis);
    return { outcome: await program(tab), requests: server.requests.slice(1) };
  } finally {
    await tab.close();
    await server.close();
  }
}

void test('a page iterates over a listing and retries where that is safe', async () => {
  const next = { link: '<http://elsewhere.example/v2/cov/nodes?_page_cursor=A>; rel=next' };
  const steps = [json(200, [{ node_id: '1' }], next), unavailable('0'), hangUp, json(200, [{ node_id: '2' }])];
  const { outcome, requests } = await inPage(steps, (page) =>
    page.evaluate(async () => {
      const ids = [];
      for await (const { node_id } of fibre.coverage.nodes.list({ token: 'planned' })) ids.push(node_id);
      return ids;
    }),
  );

  assert.deepEqual(outcome, ['1', '2']);
  assert.equal(requests[0]!.headers.authorization, 'Bearer token');
  assert.equal(requests.at(-1)!.url, '/v2/cov/nodes?_page_cursor=A');
});

void test('a page imports a file and sees its progress', async () => {
  let received = '';
  const keep: Step = async (request, response) => {
    for await (const chunk of request) received += String(chunk);
    json(200, RESULT)(request, response);
  };
  const { outcome, requests } = await inPage([unavailable('0'), keep], (page) =>
    page.evaluate(async () => {
      const seen: { bytes: number; total?: number }[] = [];
      const onProgress = (progress: (typeof seen)[number]) => void seen.push(progress);
      const result = await fibre.coverage.nodes.import(new File(['a,b\n'], 'a.csv'), { target: 'prenodes' }, { format: 'csv', onProgress });
      return { result, last: seen.at(-1) };
    }),
  );

  assert.deepEqual(outcome, { result: RESULT, last: { bytes: 4, total: 4 } });
  assert.equal(received, 'a,b\n');
  assert.deepEqual(
    requests.map(({ url, headers }) => [url, headers['content-type']]),
    Array(2).fill(['/v2/cov/nodes/import?target=prenodes', 'text/csv']),
  );
  assert.equal(new Set(requests.map(({ headers }) => headers['idempotency-key'])).size, 1);
});

void test('a page learns about rejected rows and about an import that it aborted', async () => {
  const errors = [{ line: 2, column: 'center', detail: 'must be two numbers' }];
  const refusal = json(422, { status: 422, code: 'import-refused', detail: '1 of 1 rows', rows: 1, refused: 1, errors });
  const { outcome } = await inPage([refusal, () => undefined], (page) =>
    page.evaluate(async () => {
      const attempt = async (signal?: AbortSignal) =>
        fibre.coverage.nodes.import('center\nx\n', {}, { format: 'csv', signal, onProgress: () => undefined }).catch((error: unknown) => {
          const { name, code, errors } = error as ApiError;
          return { name, code, errors };
        });
      return [await attempt(), await attempt(AbortSignal.timeout(500))];
    }),
  );

  assert.deepEqual(outcome, [
    { name: 'ApiError', code: 'import-refused', errors },
    { name: 'AbortError', code: undefined, errors: undefined },
  ]);
});

void test('a page saves an export', async () => {
  const csv: Step = (_request, response) => response.writeHead(200, { 'content-type': 'text/csv' }).end('node_id\n1\n');
  const { outcome } = await inPage([csv], (page) =>
    page.evaluate(async () => new Response(await fibre.coverage.nodes.export({ format: 'csv' })).text()),
  );

  assert.equal(outcome, 'node_id\n1\n');
});
