// Writes the types of both APIs from their OpenAPI documents: npm run openapi
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import openapiTypescript, { astToString, COMMENT_HEADER } from 'openapi-typescript';

for (const name of ['coverage', 'event']) {
  const document = pathToFileURL(join(import.meta.dirname, `../${name}-service/openapi.json`));
  const types = astToString(await openapiTypescript(document));
  await writeFile(join(import.meta.dirname, `src/api/generated/${name === 'event' ? 'events' : name}.ts`), COMMENT_HEADER + types);
}
