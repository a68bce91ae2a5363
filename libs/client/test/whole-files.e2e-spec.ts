import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FibreClient, type FileFormat } from '../src/index.js';
import { fibre, settings } from './command-line/command.js';
import { json, scriptedServer, type Step } from './scripted-server.js';
import { client } from './stack.js';

const TYPES = {
  csv: 'text/csv; charset=utf-8',
  tsv: 'text/tab-separated-values',
  ndjson: 'application/x-ndjson',
  geojson: 'application/geo+json',
};
const HALVES: [FileFormat, string, string][] = [
  ['csv', 'in a line', 'node_id,token\na,plan'],
  ['csv', 'before its heading', ''],
  ['tsv', 'in a line', 'node_id\ttoken\na\tplan'],
  ['tsv', 'before its heading', ''],
  ['ndjson', 'in a line', '{"node_id":"a"}\n{"node_id"'],
  ['geojson', 'after a feature', '{"type":"FeatureCollection","features":[\n{}\n'],
  ['geojson', 'before the last line break', '{"type":"FeatureCollection","features":[\n{}\n]}'],
  ['geojson', 'before it begins', ''],
];
let server: Awaited<ReturnType<typeof scriptedServer>> | undefined;
let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'fibre-whole-files-'))));
afterEach(async () => {
  await server?.close();
  server = undefined;
  await rm(folder, { recursive: true });
});

/** What a proxy sends that talks HTTP/1.0 to the service: the file ends where the connection ends. */
const untilClose =
  (type: string, text: string): Step =>
  ({ socket }) =>
    socket.end(`HTTP/1.0 200 OK\r\ncontent-type: ${type}\r\nconnection: close\r\n\r\n${text}`);
const against = async (...steps: Step[]): Promise<Record<string, string>> => {
  server = await scriptedServer(...steps);
  return { ...settings({ coverageUrl: server.url, eventsUrl: server.url, issuer: server.url }), FIBRE_ACCESS_TOKEN: 'token' };
};
const clientOf = (url: string): FibreClient => new FibreClient({ coverageUrl: url, eventsUrl: url, token: () => 'token' });

describe.each(HALVES)('a %s file that ends %s', (format, _where, text) => {
  it('is an error, although the connection ends as if the file was whole', async () => {
    await against(untilClose(TYPES[format], text));
    const file = await clientOf(server!.url).coverage.nodes.export({ format });
    await expect(new Response(file).text()).rejects.toMatchObject({
      name: 'ConnectionError',
      message: expect.stringContaining(`broke off after ${text.length} bytes: the end of the file is missing`),
    });
  });
});

it('fibre leaves no file and exits with 3 if the end of the file is missing, on stdout too', async () => {
  const environment = await against(untilClose(TYPES.csv, 'node_id,token\na,plan'));
  for (const output of [['-o', join(folder, 'nodes.csv')], ['-o', join(folder, 'nodes.csv.gz')], []]) {
    const { code, stderr } = await fibre(['export', ...output], environment);
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('the end of the file is missing') });
  }
  expect(await readdir(folder)).toEqual([]);
});

it('fibre leaves no spreadsheet if the end of its source is missing', async () => {
  const step = '{"entity_id":"a","partner_id":"b","from":"2026-01-01T00:00:00Z","to":"2026-02-01T00:00:00Z","article_codes":["A"]}\n';
  const environment = await against(json(200, []), untilClose(TYPES.ndjson, step + step.slice(0, 20)));
  const { code, stderr } = await fibre(['periods', '--from', '2026-01', '-o', join(folder, 'steps.xlsx')], environment);
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('the end of the file is missing') });
  expect(await readdir(folder)).toEqual([]);
});

it('the end may arrive in pieces', async () => {
  await against((_request, response) => {
    response.writeHead(200, { 'content-type': TYPES.geojson });
    const pieces = ['{"type":"FeatureCollection","features":[', ']', '}', '\n'];
    const next = (): void => void (pieces.length > 0 ? response.write(pieces.shift(), () => setImmediate(next)) : response.end());
    next();
  });
  const file = await clientOf(server!.url).coverage.nodes.export({ format: 'geojson' });
  expect(await new Response(file).json()).toEqual({ type: 'FeatureCollection', features: [] });
});

it('the page of a proxy is not a file', async () => {
  const environment = await against(untilClose('text/html', '<html>\nSign in\n'));
  const { code, stderr } = await fibre(['export', '-o', join(folder, 'nodes.csv')], environment);
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('not a file of this API, but text/html') });
  expect(await readdir(folder)).toEqual([]);
});

it('fibre says what to set at a proxy that talks HTTP/1.0', async () => {
  const hint = 'Use HTTP/1.1; in nginx: proxy_http_version 1.1.';
  const problem = JSON.stringify({ status: 426, code: 'http-version', detail: 'Over HTTP/1.0, a file ...', hint });
  const environment = await against(({ socket }) =>
    socket.end(
      `HTTP/1.1 426 Upgrade Required\r\nupgrade: HTTP/1.1\r\nconnection: close\r\ncontent-type: application/problem+json\r\n\r\n${problem}`,
    ),
  );
  const { code, stderr } = await fibre(['export', '-o', join(folder, 'nodes.csv')], environment);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(hint) });
  expect(await readdir(folder)).toEqual([]);
});

const NOTHING = '00000000-0000-0000-0000-000000000000';
const FILES: [string, () => PromiseLike<ReadableStream<Uint8Array>>][] = [
  ...(['csv', 'tsv', 'ndjson', 'geojson'] as const).flatMap((format): [string, () => PromiseLike<ReadableStream<Uint8Array>>][] => [
    [`export of nodes as ${format}`, () => client().coverage.nodes.export({ format, relation_id: NOTHING })],
    [`published export as ${format}`, () => client().coverage.export({ format, relation_id: NOTHING })],
    [
      `search of a file as ${format}`,
      () => client().coverage.searchFile('center\n"1, 1"', { format, search_radius: 1 }, { format: 'csv' }),
    ],
  ]),
  ...(['csv', 'ndjson'] as const).flatMap((format): [string, () => PromiseLike<ReadableStream<Uint8Array>>][] => [
    [`export of events as ${format}`, () => client().events.export({ format, entity_id: NOTHING })],
    [`export of periods as ${format}`, () => client().periods.export({ format, from: '2026-01-01', to: '2026-02-01', timezone: 'UTC' })],
  ]),
  ['export of totals', () => client().periods.exportTotals({ format: 'csv', from: '2026-01-01', to: '2026-02-01', timezone: 'UTC' })],
];

it.each(FILES)('%s of nothing is whole', async (_name, open) => {
  await expect(new Response(await open()).text()).resolves.toEqual(expect.any(String));
});
