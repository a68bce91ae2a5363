// Writes the types of both APIs, which are committed: npm run openapi
import { writeFile } from 'node:fs/promises';
import { typesOf } from './api-types.js';

for (const api of ['coverage', 'events'] as const)
  await writeFile(new URL(`src/api/generated/${api}.ts`, import.meta.url), await typesOf(api));
