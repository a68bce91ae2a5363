import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import openapiTypescript, { astToString, COMMENT_HEADER } from 'openapi-typescript';

const DOCUMENTS = { coverage: '../coverage-service/openapi.json', events: '../event-service/openapi.json' };
export type Api = keyof typeof DOCUMENTS;

/** TypeScript types of what an API takes and answers, from its OpenAPI document. */
export async function typesOf(api: Api): Promise<string> {
  return COMMENT_HEADER + astToString(await openapiTypescript(pathToFileURL(join(import.meta.dirname, DOCUMENTS[api]))));
}
