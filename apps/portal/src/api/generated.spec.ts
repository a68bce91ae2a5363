import { readFile } from 'node:fs/promises';
import { typesOf } from '../../api-types.js';

test.each(['coverage', 'events'] as const)('the types of the %s API are those of its document', async (api) => {
  const committed = await readFile(new URL(`generated/${api}.ts`, import.meta.url), 'utf8');
  // If not: npm run openapi
  expect(committed === (await typesOf(api))).toBe(true);
});
