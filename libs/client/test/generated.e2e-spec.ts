import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { WORKSPACE } from './stack.js';

const OPENAPI_TYPESCRIPT = join(WORKSPACE, 'node_modules/openapi-typescript/bin/cli.js');

// If not: npm run openapi
it.each([
  ['coverage-service', 'coverage-api.ts'],
  ['event-service', 'event-api.ts'],
])("the types of %s's API are those of its document", async (service, types) => {
  const args = [`../../apps/${service}/openapi.json`, '--default-non-nullable=false', '-o', `src/generated/${types}`, '--check'];
  await promisify(execFile)(process.execPath, [OPENAPI_TYPESCRIPT, ...args], { cwd: join(WORKSPACE, 'libs/client') });
});
