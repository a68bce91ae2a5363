import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { fibre as run, settings, startFibre } from './command.js';
import { hangUp, json, scriptedServer, type Step, unavailable } from '../scripted-server.js';

let server: Awaited<ReturnType<typeof scriptedServer>> | undefined;
let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'fibre-command-line-'))));
afterEach(async () => {
  await server?.close();
  server = undefined;
  await rm(folder, { recursive: true });
});

/** Settings for a server with these responses. */
async function against(...steps: Step[]): Promise<Record<string, string>> {
  server = await scriptedServer(...steps);
  return { ...settings({ coverageUrl: server.url, eventsUrl: server.url, issuer: server.url }), FIBRE_ACCESS_TOKEN: 'token' };
}
const RESULT = { rows: 2, created: 2, updated: 0, unchanged: 0, refused: 0, errors: [] };
const CSV = 'relation_id,token,center\na,planned,"48, 16"\nb,planned,"48, 16"\n';

describe('errors before anything is sent', () => {
  it.each<[string, string[], Record<string, string>, string]>([
    ['no setting', ['search', '48, 16'], {}, 'Not set: FIBRE_COVERAGE_URL, FIBRE_ISSUER, FIBRE_CLIENT_ID, FIBRE_CLIENT_SECRET'],
    [
      'an invalid address',
      ['search', '48, 16'],
      { FIBRE_COVERAGE_URL: 'host', FIBRE_ACCESS_TOKEN: 't' },
      'FIBRE_COVERAGE_URL is not a valid address: host',
    ],
    ['an unknown command', ['serach'], {}, "unknown command 'serach'"],
    ['a secret as a flag', ['search', '48, 16', '--client-secret', 's'], {}, "unknown option '--client-secret'"],
    ['an invalid number', ['search', '48, 16', '--limit', 'x'], {}, 'Not a number.'],
    ['a file of unknown format', ['import', 'places.xlsx'], {}, 'Set --format csv, tsv, ndjson or geojson'],
    ['a missing file', ['import', '/nowhere/places.csv'], {}, "no such file or directory, stat '/nowhere/places.csv'"],
    ['no events', ['events', 'put', '-'], { FIBRE_EVENTS_URL: 'http://127.0.0.1:9', FIBRE_ACCESS_TOKEN: 't' }, 'There is no event in -'],
  ])('%s: exit code 2', async (_fault, args, environment, message) => {
    expect(await run(args, environment)).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
  });

  it('--help is not an error: exit code 0', async () => {
    expect(await run(['import', '--help'], {})).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('--dry-run') });
  });
});

describe('import', () => {
  it('sends the file unchanged, without a progress display if there is no terminal', async () => {
    let received = Buffer.alloc(0);
    const environment = await against(async (request, response) => {
      for await (const chunk of request) received = Buffer.concat([received, chunk as Buffer]);
      json(200, RESULT)(request, response);
    });
    const file = join(folder, 'places, "all".csv.gz');
    await writeFile(file, gzipSync(CSV));

    expect(await run(['import', file, '--target', 'prenodes', '--relation-id', 'r', '--dry-run'], environment)).toEqual({
      code: 0,
      stdout: 'rows  created  updated  unchanged  refused\n2     2        0        0          0\nDry run: nothing was changed.\n',
      stderr: '',
    });
    expect(gunzipSync(received).toString()).toBe(CSV);
    const { url, headers } = server!.requests[0]!;
    expect(url).toBe('/v2/cov/nodes/import?target=prenodes&dry_run=true&relation_id=r');
    expect(headers).toMatchObject({ 'content-type': 'text/csv', 'content-encoding': 'gzip', 'idempotency-key': expect.any(String) });
  });

  it('retries a file after 503 and after a lost connection, with the same key', async () => {
    const file = join(folder, 'places.csv');
    await writeFile(file, CSV);

    expect(await run(['import', file], await against(unavailable('0'), hangUp, json(200, RESULT)))).toMatchObject({ code: 0 });
    expect(new Set(server!.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(server!.requests).toHaveLength(3);
  });

  it('sends stdin once', async () => {
    const ran = await run(['import', '-', '--format', 'csv'], await against(unavailable('0'), json(200, RESULT)), CSV);

    expect(ran).toEqual({ code: 3, stdout: '', stderr: 'fibre: 503 unavailable: Later.\nfibre:   request r-1\n' });
    expect(server!.requests).toHaveLength(1);
  });

  it.each(['strict', 'lax'])('has exit code 1 if rows are rejected in %s mode', async (mode) => {
    const errors = [{ line: 3, column: 'center', detail: 'must be two numbers' }];
    const counts = { ...RESULT, created: 1, refused: 1, errors };
    const refusal = { status: 422, code: 'import-refused', detail: '1 of 2 rows', ...counts };
    const answer = mode === 'lax' ? json(200, counts) : json(422, refusal);
    const { code, stdout, stderr } = await run(['import', '-', '--format', 'csv', '--mode', mode], await against(answer), CSV);

    expect(code).toBe(1);
    expect(stdout).toMatch(/^line +column +detail\n3 +center +must be two numbers\n\nrows/);
    expect(stderr).toBe(`fibre: 1 of 2 rows refused; ${mode === 'lax' ? 'the others were imported' : 'nothing was imported'}\n`);
  });

  it('has exit code 1 if the header is rejected', async () => {
    const errors = [{ line: 1, column: 'colour', detail: 'is not a column' }];
    const refusal = { status: 422, code: 'import-refused', detail: 'The header is invalid: colour is not a column.', errors };

    expect(await run(['import', '-', '--format', 'csv'], await against(json(422, refusal)), CSV)).toEqual({
      code: 1,
      stdout: '',
      stderr: `fibre: 422 import-refused: ${refusal.detail}\n`,
    });
  });

  it('when interrupted, says that nothing was imported', async () => {
    const environment = await against(() => undefined);
    const child = startFibre(['import', '-', '--format', 'csv'], environment);
    const stderr = text(child.stderr);
    // The input is incomplete: it does not end before the interruption.
    child.stdin.write(CSV);
    await until(() => server!.requests.length > 0 || child.exitCode !== null);
    child.kill('SIGINT');
    const [code] = (await once(child, 'close')) as [number];

    expect({ code, stderr: await stderr }).toEqual({ code: 130, stderr: 'fibre: Interrupted: nothing was imported\n' });
  });
});

describe('export', () => {
  const csv: Step = (_request, response) => response.writeHead(200, { 'content-type': 'text/csv' }).end(CSV);
  const brokenOff: Step = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/csv' });
    response.write(CSV, () => response.destroy());
  };

  it('is written to stdout or to a file, in the format that the file name implies', async () => {
    expect(await run(['export', '--relation-id', 'r'], await against(csv))).toEqual({ code: 0, stdout: CSV, stderr: '' });
    expect(server!.requests[0]!.url).toBe('/v2/cov/nodes/export?relation_id=r');
    await server!.close();

    const file = join(folder, 'nodes.geojson');
    expect(await run(['export', '-o', file], await against(csv))).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(server!.requests[0]!.url).toBe('/v2/cov/nodes/export?format=geojson');
    expect(await readFile(file, 'utf8')).toBe(CSV);
  });

  it('is compressed if the file name ends in .gz', async () => {
    const file = join(folder, 'nodes.csv.gz');

    expect(await run(['export', '-o', file], await against(csv))).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(gunzipSync(await readFile(file)).toString()).toBe(CSV);
  });

  it('fails and leaves no file if the response breaks off', async () => {
    const { code, stderr } = await run(['export', '-o', join(folder, 'nodes.csv')], await against(brokenOff));

    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(`broke off after ${CSV.length} bytes`) });
    expect(await readdir(folder)).toEqual([]);
  });

  it('ends quietly when its reader closes the pipe', async () => {
    let closed = false;
    const endless: Step = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/csv' }).on('close', () => (closed = true));
      const more = (): void => void (response.destroyed || response.write(CSV.repeat(1_000), more));
      more();
    };
    const child = startFibre(['export'], await against(endless));
    const stderr = text(child.stderr);
    await once(child.stdout, 'data');
    child.stdout.destroy();
    const [code] = (await once(child, 'close')) as [number];

    expect({ code, stderr: await stderr }).toEqual({ code: 0, stderr: '' });
    await until(() => closed);
  });
});

it('has exit code 3 if a service does not respond', async () => {
  const environment = await against(hangUp);
  const { code, stderr } = await run(['merge', 'r'], environment);

  expect({ code, stderr }).toEqual({
    code: 3,
    stderr: expect.stringMatching(
      /\/v2\/cov\/nodes got no complete response: .+\nfibre: {3}the merge may have taken effect; it is safe to run the command again\n$/,
    ),
  });
});

/** Waits for a condition. If it never becomes true, the test's own timeout ends the wait. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
}
