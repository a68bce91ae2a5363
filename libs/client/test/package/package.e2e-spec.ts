import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { volume } from '@fibre/testing/volume';
import { type Ran, settings } from '../command-line/command.js';
import { bundle, freshProject, run } from './fresh-project.js';
import { json, scriptedServer } from '../scripted-server.js';

let folder: string;
beforeAll(async () => (folder = await freshProject()));
afterAll(() => rm(folder, { recursive: true }));

const PROGRAM = `
  import { type AccessNode, ApiError, clientCredentials, FibreClient } from '@fibre/client';
  const token = clientCredentials({ issuer: 'http://127.0.0.1:3003', clientId: 'ano-demo', clientSecret: 'ano-demo-secret' });
  export const client = new FibreClient({ coverageUrl: 'http://127.0.0.1:3001', eventsUrl: 'http://127.0.0.1:3002', token });
  export async function centers(relation_id: string): Promise<string[]> {
    const all: string[] = [];
    for await (const { center } of client.coverage.nodes.list({ relation_id })) all.push(center);
    return all;
  }
  export const read = (node_id: string): Promise<AccessNode> => client.coverage.nodes.read(node_id);
  export const status = (error: unknown) => (error instanceof ApiError ? error.status : 0);
`;
const WRONG = `import { client } from './program.js';
export const wrong = () => client.coverage.nodes.create({ relation_id: 'r', token: 'built', center: '48, 16' });`;

/** With little volume, the one that has no types of Node.js. */
const PLATFORMS: [string, object][] = [
  ['a browser, with a bundler', { lib: ['es2023', 'dom', 'dom.iterable'], types: [], module: 'esnext', moduleResolution: 'bundler' }],
  ['Node.js', { lib: ['es2023'], types: ['node'], module: 'nodenext' }],
];
it.each(volume(PLATFORMS.slice(0, 1), PLATFORMS))('has correct types in a program for %s', async (_where, options) => {
  const compilerOptions = { ...options, target: 'es2023', strict: true, noEmit: true, skipDefaultLibCheck: true };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts', 'wrong.ts'] }));
  await Promise.all([writeFile(join(folder, 'program.ts'), PROGRAM), writeFile(join(folder, 'wrong.ts'), WRONG)]);
  const { stdout, stderr } = await run(process.execPath, ['node_modules/typescript/bin/tsc', '--pretty', 'false'], folder).catch(
    (error: Ran) => error,
  );

  const [fault, ...others] = stdout.split('\n').filter((line) => /^\S/.test(line));
  expect({ fault, others, stderr }).toEqual({
    fault: expect.stringMatching(/^wrong\.ts\(.*Type '"built"' is not assignable/),
    others: [],
    stderr: '',
  });
});

it('includes a working command', async () => {
  const server = await scriptedServer(json(200, { action: [{ merge_action: 'INSERT', count: 2 }] }));
  const environment = { ...settings({ coverageUrl: server.url, eventsUrl: server.url, issuer: server.url }), FIBRE_ACCESS_TOKEN: 'token' };
  const args = ['node_modules/@fibre/client/dist/cli/main.js', 'merge', 'r', '--json'];

  expect(await run(process.execPath, args, folder, environment)).toEqual({
    stdout: '{"action":[{"merge_action":"INSERT","count":2}]}\n',
    stderr: '',
  });
  await server.close();
});

it('also works in browsers: its bundle needs nothing from Node.js', async () => {
  const code = await bundle(folder, `export { FibreClient } from '@fibre/client';`);

  expect(code).toContain('/v2/cov/nodes');
  expect(code).not.toContain('require(');
  // Code that only works on a server is not in the bundle.
  expect(code).not.toContain('client_credentials');
});
