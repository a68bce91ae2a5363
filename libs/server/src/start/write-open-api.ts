import { writeFile } from 'node:fs/promises';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { costsOfRoutes } from '../http/operation.js';
import { buildOpenApi } from '../openapi/open-api.js';
import type { ServerEnv } from '../env/server.env.js';
import type { ServiceDefinition } from './service-definition.js';

/** Token endpoint in the committed document; a running service uses its own. */
const PLACEHOLDER_TOKEN_URL = 'https://issuer.example/token';

/** Writes the OpenAPI document of a service by reading its controllers; it needs no database. */
export async function writeOpenApi<E extends ServerEnv>(service: ServiceDefinition<E>, file: URL): Promise<void> {
  const app = await NestFactory.create<NestExpressApplication>(service.module(service.readEnv(), 'postgres://nowhere'), {
    preview: true,
    logger: false,
  });
  // Also here, so that who adds a route hears of it before a service starts.
  costsOfRoutes(app);
  const document = buildOpenApi(app, service.api, PLACEHOLDER_TOKEN_URL);
  await writeFile(file, `${JSON.stringify(document, null, 2)}\n`);
}
