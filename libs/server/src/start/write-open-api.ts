import { writeFile } from 'node:fs/promises';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { buildOpenApi, YOUR_CLIENT } from '../openapi/open-api.js';
import type { ServerEnv } from '../env/server.env.js';
import type { ServiceDefinition } from './service-definition.js';

/** Stands in the committed document for the token endpoint of a deployment; a running service names its own. */
const PLACEHOLDER_TOKEN_URL = 'https://issuer.example/token';

/** Writes the OpenAPI document of a service. Its controllers are read, nothing is started: no database is needed. */
export async function writeOpenApi<E extends ServerEnv>(service: ServiceDefinition<E>, file: URL): Promise<void> {
  const app = await NestFactory.create<NestExpressApplication>(service.module(service.readEnv(), 'postgres://nowhere'), {
    preview: true,
    logger: false,
  });
  const document = buildOpenApi(app, service.api, { tokenUrl: PLACEHOLDER_TOKEN_URL, clients: YOUR_CLIENT });
  await writeFile(file, `${JSON.stringify(document, null, 2)}\n`);
}
