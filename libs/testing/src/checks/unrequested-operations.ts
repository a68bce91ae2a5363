import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { TestService } from '../test-service.js';

const SERVED = /^http_request_duration_seconds_count\{method="(\w+)",route="([^"]+)",status="[23]/gm;

/** Timers deliver to webhooks, and send the same statements at any time. */
const OF_WEBHOOKS = /\/webhooks\b/;

/**
 * The operations, except those of webhooks, that no request has used successfully so far, according to the metrics of the services.
 *
 * @param app folder of the services' application, with its OpenAPI document
 */
export async function unrequestedOperations(app: string, services: readonly TestService[]): Promise<string[]> {
  const metrics = await Promise.all(services.map(({ url }) => fetch(`${url}/metrics`).then((response) => response.text())));
  const served = new Set(metrics.flatMap((text) => [...text.matchAll(SERVED)].map(([, method, route]) => operation(method!, route!))));
  const { paths } = JSON.parse(await readFile(join(app, 'openapi.json'), 'utf8')) as OpenAPIObject;
  const operations = Object.entries(paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => operation(method, path)));
  return operations.filter((one) => !OF_WEBHOOKS.test(one) && !served.has(one));
}

const operation = (method: string, path: string): string => `${method.toUpperCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')}`;
