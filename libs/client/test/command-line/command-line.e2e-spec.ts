import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, open as openFile, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gunzipSync, gzipSync } from 'node:zlib';
import { fibre as run, fibreProcess, settings, startFibre } from './command.js';
import { breakOff, hangUp, json, scriptedServer, type Step, unavailable } from '../scripted-server.js';

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
const RESULT = { rows: 2, created: 2, updated: 0, unchanged: 0, refused: 0, deleted: 0, refused_lines: [], errors: [] };
const CSV = 'relation_id,token,center\na,planned,"48, 16"\nb,planned,"48, 16"\n';

describe('errors before anything is sent', () => {
  it.each<[string, string[], Record<string, string>, string]>([
    ['no setting', ['search', '48, 16'], {}, 'Not set: FIBRE_COVERAGE_URL, FIBRE_ISSUER, FIBRE_CLIENT_ID, FIBRE_CLIENT_SECRET'],
    [
      'an invalid address',
      ['search', '48, 16'],
      { FIBRE_COVERAGE_URL: 'host', FIBRE_ACCESS_TOKEN: 't' },
      'FIBRE_COVERAGE_URL must be an address such as https://api.example.net',
    ],
    ['an unknown command', ['serach'], {}, "unknown command 'serach'"],
    ['a secret as a flag', ['search', '48, 16', '--client-secret', 's'], {}, "unknown option '--client-secret'"],
    ['an invalid number', ['search', '48, 16', '--limit', 'x'], {}, 'Not a number.'],
    ['a file of unknown format', ['import', 'places.xlsx'], {}, 'Set --format csv, tsv, ndjson or geojson'],
    ['a missing file', ['import', '/nowhere/places.csv'], {}, "no such file or directory, stat '/nowhere/places.csv'"],
    ['a backup of all relations', ['import', 'places.csv', '--backup', 'before.csv'], {}, '--backup needs --relation-id'],
    ['no events', ['events', 'put', '-'], { FIBRE_EVENTS_URL: 'http://127.0.0.1:8', FIBRE_ACCESS_TOKEN: 't' }, 'There is no event in -'],
    [
      'a password in an address',
      ['search', '48, 16'],
      { FIBRE_COVERAGE_URL: 'http://u:p@127.0.0.1:8', FIBRE_ACCESS_TOKEN: 't' },
      'FIBRE_COVERAGE_URL must be an address such as https://api.example.net, without user name or password',
    ],
  ])('%s: exit code 2', async (_fault, args, environment, message) => {
    expect(await run(args, environment)).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
  });

  it('--help is not an error: exit code 0', async () => {
    expect(await fibreProcess(['import', '--help'], {})).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('--dry-run'),
    });
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
    const ran = await fibreProcess(['import', '-', '--format', 'csv'], await against(unavailable('0'), json(200, RESULT)), CSV);

    expect(ran).toEqual({ code: 3, stdout: '', stderr: 'fibre: 503 unavailable: Later.\nfibre:   request r-1\n' });
    expect(server!.requests).toHaveLength(1);
  });

  it.each(['strict', 'lax'])('has exit code 1 if rows are rejected in %s mode', async (mode) => {
    const errors = [{ line: 3, column: 'center', detail: 'must be two numbers' }];
    const counts = { ...RESULT, created: 1, refused: 1, refused_lines: [[3, 3]], errors };
    const refusal = { status: 422, code: 'import-refused', detail: '1 of 2 rows', ...counts };
    const answer = mode === 'lax' ? json(200, counts) : json(422, refusal);
    const { code, stdout, stderr } = await run(['import', '-', '--format', 'csv', '--mode', mode], await against(answer), CSV);

    expect(code).toBe(1);
    const told = mode === 'lax' ? '' : 'Nothing was imported: this is what the other rows would have done.\n';
    expect(stdout).toBe(
      `line  column  detail\n3     center  must be two numbers\n\nrows  created  updated  unchanged  refused\n2     1        0        0          1\n${told}`,
    );
    expect(stderr).toBe(`fibre: 1 of 2 rows refused; ${mode === 'lax' ? 'the others were imported' : 'nothing was imported'}\n`);
  });

  it('shows the warnings of a dry run, also if rows are rejected, and has exit code 0 if none is', async () => {
    const warnings = [{ line: 2, column: 'customer_reference', detail: 'is new' }];
    const importing = ['import', '-', '--format', 'csv', '--dry-run'];
    const shown = 'Warnings:\nline  column              detail\n2     customer_reference  is new\n\nrows ';
    const warned = await run(importing, await against(json(200, { ...RESULT, warnings })), CSV);
    expect(warned).toMatchObject({ code: 0, stdout: expect.stringContaining(shown) as string });
    const refusal = { ...RESULT, refused: 1, refused_lines: [[3, 3]], warnings, status: 422, code: 'import-refused', detail: 'No.' };
    const refused = await run(importing, await against(json(422, refusal)), CSV);
    expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining(shown) as string });
  });

  it('says where reading stopped, and that a dry run imported nothing', async () => {
    const errors = [{ line: 2, detail: 'has 1 cell' }];
    const stopped = { ...RESULT, rows: 12_000, refused: 10_000, stopped: true, refused_lines: [[2, 10_001]], errors };
    const importing = ['import', '-', '--format', 'csv', '--mode', 'lax', '--dry-run'];
    const said = 'fibre: 10000 of the first 12000 rows refused (the first 1 are listed); nothing was imported\n';
    expect(await run(importing, await against(json(200, stopped)), CSV)).toMatchObject({ code: 1, stderr: said });
    const { stdout } = await run([...importing, '--json'], await against(json(200, stopped)), CSV);
    expect(JSON.parse(stdout)).toEqual(stopped);
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

const begun: Step = (_request, response) => response.writeHead(200, { 'content-type': 'text/csv' }).write(CSV);
it.each<[string, string[], Step]>([
  ['before the response', ['import', 'places.csv'], () => undefined],
  ['within the response', ['export', '-o', 'places.csv'], begun],
])(
  'an interruption %s is noticed however much memory has been collected before',
  async (_when, args, step) => {
    const file = join(folder, 'places.csv');
    await writeFile(file, CSV);
    const environment = await against(step);
    const interruption = new AbortController();
    const ran = run(
      args.map((argument) => argument.replace('places.csv', file)),
      environment,
      '',
      interruption.signal,
    );
    await until(() => server!.requests.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 50));
    setFlagsFromString('--expose-gc');
    (runInNewContext('gc') as () => void)();
    interruption.abort('SIGINT');
    expect((await ran).code).toBe(130);
  },
  10_000,
);

describe('--backup', () => {
  const csv: Step = (_request, response) => response.writeHead(200, { 'content-type': 'text/csv' }).end(CSV);
  const MERGED = { action: [{ count: 2, merge_action: 'INSERT' }] };
  const importing = (...more: string[]) => ['import', '-', '--format', 'csv', '--relation-id', 'r', '--absent', 'delete', ...more];

  it('saves the nodes before they are changed', async () => {
    const [before, merged] = [join(folder, 'before.csv.gz'), join(folder, 'before.geojson')];
    const environment = await against(csv, json(200, { ...RESULT, deleted: 3 }), csv, json(200, MERGED));
    const ran = await run(importing('--target', 'prenodes', '--max-deleted', '3', '--backup', before), environment, CSV);

    expect(ran).toEqual({
      code: 0,
      stdout: 'rows  created  updated  unchanged  refused  deleted\n2     2        0        0          0        3\n',
      stderr: '',
    });
    expect(await run(['merge', 'r', '--backup', merged], environment)).toMatchObject({ code: 0 });
    expect(server!.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /v2/cov/nodes/export?format=csv&relation_id=r&target=prenodes',
      'POST /v2/cov/nodes/import?target=prenodes&relation_id=r&absent=delete&max_deleted=3',
      'GET /v2/cov/nodes/export?format=geojson&relation_id=r',
      'PUT /v2/cov/nodes?relation_id=r',
    ]);
    expect([gunzipSync(await readFile(before)).toString(), await readFile(merged, 'utf8')]).toEqual([CSV, CSV]);
  });

  const forbidden = json(403, { status: 403, code: 'scope-missing', detail: 'coverage:read is missing.' });
  const cutOff: Step = (_request, response) => void response.writeHead(200).write(CSV, () => response.destroy());
  it.each([
    ['the service rejects it', forbidden, 1],
    ['it breaks off', cutOff, 3],
  ])('changes nothing if %s', async (_fault, answer, code) => {
    for (const command of [importing('--backup', join(folder, 'before.csv')), ['merge', 'r', '--backup', join(folder, 'before.csv')]]) {
      expect(await run(command, await against(answer), CSV)).toMatchObject({ code, stdout: '' });
      expect(server!.requests.map(({ method }) => method)).toEqual(['GET']);
      await server!.close();
    }
    expect(await readdir(folder)).toEqual([]);
  });

  it('never replaces a file, and needs one', async () => {
    const file = join(folder, 'before.csv');
    await writeFile(file, 'the first backup');
    for (const command of [importing, (...more: string[]) => ['merge', 'r', ...more]]) {
      const environment = await against(csv, csv);
      expect(await run(command('--backup', file), environment, CSV)).toMatchObject({
        code: 2,
        stderr: `fibre: ${file} exists; choose another name for the backup\n`,
      });
      expect(await run(command('--backup', '-'), environment, CSV)).toMatchObject({ code: 2, stdout: '' });
      expect(server!.requests).toEqual([]);
      await server!.close();
    }
    expect(await readFile(file, 'utf8')).toBe('the first backup');
  });

  it('is not written by a dry run, which lists what the import would delete', async () => {
    const deleted_nodes = [{ node_id: 'n-1', customer_reference: 'house 1' }, { node_id: 'n-2' }];
    const environment = await against(json(200, { ...RESULT, deleted: 3, deleted_nodes }));
    const { code, stdout } = await run(importing('--dry-run', '--backup', join(folder, 'before.csv')), environment, CSV);

    expect(code).toBe(0);
    expect(stdout).toBe(
      'The import would delete 3 nodes, of which these are the first 2:\ncustomer_reference  node_id\nhouse 1             n-1\n                    n-2\n\n' +
        'rows  created  updated  unchanged  refused  deleted\n2     2        0        0          0        3\nDry run: nothing was changed.\n',
    );
    expect(await readdir(folder)).toEqual([]);
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

  it('has the nodes of every operator with --published, which excludes options for your own nodes', async () => {
    expect(await run(['export', '--tenant', 'ano.demo', '--token', 'planned'], await against(csv))).toMatchObject({ code: 0, stdout: CSV });
    expect(server!.requests[0]!.url).toBe('/v2/cov/search/export?tenant=ano.demo&token=planned');
    for (const own of ['--customer-reference', '--modified-since', '--available-until'])
      expect(await run(['export', '--published', own, 'x'], {})).toMatchObject({ code: 2, stderr: expect.stringContaining(own) });
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

  it('is written directly to what is not a file', async () => {
    const environment = await against(csv);
    const pipe = join(folder, 'pipe');
    spawnSync('mkfifo', [pipe]);
    const received = readFile(pipe, 'utf8');
    expect(await run(['export', '-o', pipe], environment)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await received).toBe(CSV);
    expect((await stat(pipe)).isFIFO()).toBe(true);

    expect(await fibreProcess(['export', '-o', '/dev/stdout'], environment)).toEqual({ code: 0, stdout: CSV, stderr: '' });
    const file = join(folder, 'all.csv');
    for (const name of ['/dev/fd/3', '/proc/self/fd/3']) {
      const opened = await openFile(file, 'w');
      await opened.write('# header\n');
      const child = startFibre(['export', '-o', name], environment, opened.fd);
      expect(await once(child, 'close')).toEqual([0, null]);
      await opened.close();
      expect(await readFile(file, 'utf8')).toBe(`# header\n${CSV}`);
    }
    expect((await readdir(folder)).sort()).toEqual(['all.csv', 'pipe']);
  });

  it('keeps symbolic links, the mode of the file and other files', async () => {
    const environment = await against(csv);
    await mkdir(join(folder, 'real'));
    const [file, link, dangling] = [join(folder, 'real/data.csv'), join(folder, 'link.csv'), join(folder, 'new.csv')];
    await writeFile(file, 'old', { mode: 0o600 });
    await writeFile(`${file}.part`, 'precious');
    await symlink('real/data.csv', link);
    await symlink('real/new.csv', dangling);
    for (const name of [link, dangling])
      expect(await run(['export', '-o', name], environment)).toEqual({ code: 0, stdout: '', stderr: '' });

    expect([await readlink(link), await readlink(dangling)]).toEqual(['real/data.csv', 'real/new.csv']);
    expect(await readFile(file, 'utf8')).toBe(CSV);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(`${file}.part`, 'utf8')).toBe('precious');
    expect((await readdir(join(folder, 'real'))).sort()).toEqual(['data.csv', 'data.csv.part', 'new.csv']);
  });

  it('is whole even if two commands write the same file', async () => {
    const file = join(folder, 'nodes.csv');
    const texts = ['first '.repeat(99), 'second '.repeat(99)].map((line) => `${line}\n`);
    const [first, second] = texts.map((text, index): Step => async (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/csv' }).write(text.slice(0, 9));
      await until(() => server!.requests.length === texts.length);
      setTimeout(() => response.end(text.slice(9)), 1_000 * index);
    });
    const environment = await against(first!, second!);
    const runs = texts.map(() => run(['export', '-o', file], environment));

    for (const ran of await Promise.all(runs)) expect(ran).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(texts).toContain(await readFile(file, 'utf8'));
    expect(await readdir(folder)).toEqual(['nodes.csv']);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('leaves the old file when it is ended by %s', async (signal) => {
    const file = join(folder, 'nodes.csv');
    await writeFile(file, 'old');
    const child = startFibre(
      ['export', '-o', file],
      await against((_request, response) => response.writeHead(200, { 'content-type': 'text/csv' }).write(CSV)),
    );
    const stderr = text(child.stderr);
    let names: string[] = [];
    for (; names.length < 2; await new Promise((resolve) => setTimeout(resolve, 20))) names = await readdir(folder);
    child.kill(signal);
    await once(child, 'close');

    expect(await stderr).toBe(`fibre: Interrupted: ${file} was not written\n`);
    expect([await readdir(folder), await readFile(file, 'utf8')]).toEqual([['nodes.csv'], 'old']);
  });

  it('does not begin if the name is that of a folder', async () => {
    expect(await run(['export', '-o', folder], await against(csv))).toEqual({
      code: 2,
      stdout: '',
      stderr: `fibre: ${folder} is a folder\n`,
    });
    expect(server!.requests).toEqual([]);
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

describe('events put', () => {
  const event = JSON.stringify({ event_id: 'e', created_at: 'a', modified_at: 'a' });

  it.each([
    ['an event', '\ufeff{"a":1}\r\n', 1],
    ['one event per line', '\ufeff{"a":1}\r\n{"a":1}\r\n', 2],
    ['an array', '\ufeff[\r\n{"a":1}]\r\n', 1],
  ])('accepts a byte order mark before %s, and CRLF', async (_what, input, count) => {
    const environment = await against(json(201, JSON.parse(event)));
    expect(await run(['events', 'put', '-', '--json'], environment, input)).toMatchObject({ code: 0, stderr: '' });
    expect(server!.requests).toHaveLength(count);
  });

  it.each([
    ['a record separator', '\x1e{"a":1}\n', 'U+001E'],
    ['bytes that are not UTF-8', Buffer.from('\ufeff{"a":1}\n', 'utf16le'), 'U+FFFD'],
    ['two byte order marks', '\ufeff\ufeff{"a":1}\n', 'U+FEFF'],
  ])('names %s before the first event', async (_what, input, character) => {
    const file = join(folder, 'events.json');
    await writeFile(file, input);
    const { code, stderr } = await run(['events', 'put', file], await against(json(201, {})));
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(`is not valid JSON (it begins with ${character}): `) });
  });

  it('sends an event again if the connection breaks before or within the response', async () => {
    const environment = await against(hangUp, breakOff, json(201, JSON.parse(event)));
    expect(await run(['events', 'put', '-', '--json'], environment, event)).toMatchObject({ code: 0, stderr: '' });
    expect(server!.requests).toHaveLength(3);
  });

  it('stops within a response at Ctrl-C', async () => {
    const started = (): boolean => server!.requests.length > 0;
    const child = startFibre(['events', 'put', '-'], await against((_request, response) => response.writeHead(201).write('{')));
    child.stdin.end(event);
    const stderr = text(child.stderr);
    await until(started);
    child.kill('SIGINT');
    const [code] = (await once(child, 'close')) as [number];
    expect({ code, stderr: await stderr }).toEqual({
      code: 130,
      stderr: 'fibre: Interrupted: responses received for 0 events; it is safe to send all events again\n',
    });
  });

  it('shows a table of any number of events', async () => {
    // As a process, because a worker of the tests has a larger stack: as arguments of a function, so many lengths fit there.
    const count = 130_000;
    const input = `${JSON.stringify({ entity_id: 'e' })}\n`.repeat(count);
    const refusal = json(409, { status: 409, code: 'event-order', detail: 'No.' });
    const { code, stdout, stderr } = await fibreProcess(['events', 'put', '-'], await against(refusal), input);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `fibre: 1 of ${count} events refused, ${count - 1} later events of the same entities skipped\n`,
    });
    expect(stdout.trimEnd().split('\n')).toHaveLength(count + 1);
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
