import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ConnectionError, FILE_FORMATS, type FileFormat } from '../../src/index.js';
import { fibre as run, settings } from './command.js';
import { documentedCommands, FIBRE_IN_SHELL } from '../package/documented.js';
import { client, SETTINGS, stack } from '../stack.js';

const MAX_ROWS = Number(SETTINGS.SEARCH_MAX_ROWS);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fibre-qualification-'));
});
afterAll(() => rm(folder, { recursive: true }));

it('the commands in docs/qualification.md work as written', async () => {
  const commands = await documentedCommands('docs/qualification.md');
  expect(commands).toHaveLength(9);
  // The options of the test runner only work in its own folder.
  let shell = `unset NODE_OPTIONS\n${FIBRE_IN_SHELL}`;
  for (const { command, said } of commands) {
    if (command.startsWith('export ')) {
      // Use the services of this test instead of those that npm start runs.
      for (const [name, value] of Object.entries(settings())) shell += `export ${name}=${value}\n`;
      continue;
    }
    const [, variable] = /^([A-Z]+)=/.exec(command) ?? [];
    if (variable) {
      const { coverageUrl, issuer } = stack;
      const here = command.replace('http://127.0.0.1:3001', coverageUrl).replace('http://127.0.0.1:3003', issuer);
      const { stdout, stderr } = await promisify(execFile)('bash', ['-c', `${shell}${here}echo "$${variable}"`]);
      expect([command, stderr, stdout]).toEqual([command, '', expect.stringMatching(/^\S+\n$/)]);
      shell += `${variable}=${stdout}`;
      continue;
    }
    const here = command.replace('--file ', `--file ${folder}/`);
    const ran = promisify(execFile)('bash', ['-c', shell + here], { cwd: folder }).catch(
      (error: { stdout: string; stderr: string }) => error,
    );
    const { stdout, stderr } = await ran;
    expect([command, `${stdout.replaceAll('\r', '')}${stderr}`]).toEqual([command, said]);
  }
});

const FILES: Record<FileFormat, string> = {
  csv: 'name,center\n"a\nb","48.20849,16.37208"\nc,x\n',
  tsv: 'name\tcenter\n"a\nb"\t48.20849, 16.37208\nc\tx\n',
  ndjson: '{"center":"48.20849,16.37208"}\n{"center":"x"}\n',
  geojson:
    '{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[16.37208,48.20849]},"properties":{}},{"type":"Feature","geometry":null,"properties":{"a":"}}"}}]}',
};

it.each(FILE_FORMATS)('the exit code is 1 for a %s file with a faulty row, and 0 for a file without one', async (format) => {
  const [good, faulty] = [join(folder, `good.${format}`), join(folder, `faulty.${format}`)];
  const { [format]: text } = FILES;
  await writeFile(faulty, text);
  await writeFile(
    good,
    format === 'geojson'
      ? text.replace(/,\{"type":"Feature","geometry":null.*\}\}"\}\}/, '')
      : text.slice(0, text.slice(0, -1).lastIndexOf('\n') + 1),
  );
  const [whole, partly] = [await run(['search', '--file', good], settings()), await run(['search', '--file', faulty], settings())];
  expect([whole.code, whole.stderr]).toEqual([0, '']);
  expect([partly.code, partly.stderr]).toEqual([1, 'fibre: 1 of 2 rows have an error; see the "error" column or member\n']);
  expect(partly.stdout.length).toBeGreaterThan(whole.stdout.length);
});

it('a search that breaks off fails, and leaves no file that looks complete', async () => {
  const [file, output] = [join(folder, 'long.csv'), join(folder, 'covered.csv.gz')];
  await writeFile(file, `center\n${'"1,2"\n'.repeat(MAX_ROWS + 1)}`);
  expect(await run(['search', '--file', file, '-o', output], settings())).toMatchObject({ code: 3, stdout: '' });
  await expect(readFile(output)).rejects.toThrow();
  expect(await run(['search'], settings())).toMatchObject({ code: 2, stderr: expect.stringContaining('--file') });
});

it('a program reads rows while the file is being sent, and learns why the search ended', async () => {
  const { coverage } = client('isp-demo');
  const rows: unknown[] = [];
  const encoder = new TextEncoder();
  let more!: () => void;
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(encoder.encode('{"center":"1,2","n":1}\n'));
      more = () => {
        controller.enqueue(encoder.encode('{"center":"x","n":2}\n'));
        controller.close();
      };
    },
  });
  for await (const { input, results, error } of coverage.searchMany<{ n: number }>(stream, {}, { format: 'ndjson' })) {
    rows.push([input.n, results ?? error]);
    if (input.n === 1) more();
  }
  expect(rows).toEqual([
    [1, []],
    [2, expect.stringMatching(/^center must be/)],
  ]);

  let count = 0;
  const reading = async (): Promise<void> => {
    for await (const { results } of coverage.searchMany('{"center":"1,2"}\n'.repeat(MAX_ROWS + 1), {}, { format: 'ndjson' }))
      count += results!.length + 1;
  };
  const error = await reading().catch((thrown: unknown) => thrown as Error);
  expect([count, error!.message]).toEqual([MAX_ROWS, expect.stringContaining(`more than ${MAX_ROWS} rows`)]);
  expect(error).not.toBeInstanceOf(ConnectionError);
});
