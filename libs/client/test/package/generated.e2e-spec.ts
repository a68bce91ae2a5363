import { execFile } from 'node:child_process';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { WORKSPACE } from '../stack.js';

const OPENAPI_TYPESCRIPT = join(WORKSPACE, 'node_modules/openapi-typescript/bin/cli.js');

// If these tests fail, run: npm run openapi
it.each([
  ['coverage-service', 'coverage-api.ts'],
  ['event-service', 'event-api.ts'],
])("the types of %s's API match its OpenAPI document", async (service, types) => {
  const args = [`../../apps/${service}/openapi.json`, '--default-non-nullable=false', '-o', `src/generated/${types}`, '--check'];
  await promisify(execFile)(process.execPath, [OPENAPI_TYPESCRIPT, ...args], { cwd: join(WORKSPACE, 'libs/client') });
});

it('the vocabulary matches the OpenAPI documents', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'vocabulary-')), 'vocabulary.ts');
  const cwd = join(WORKSPACE, 'libs/client');
  await promisify(execFile)(process.execPath, ['vocabulary.mjs', file], { cwd });
  expect(await readFile(file, 'utf8')).toBe(await readFile(join(cwd, 'src/generated/vocabulary.ts'), 'utf8'));
});
