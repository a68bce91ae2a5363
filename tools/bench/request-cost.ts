/**
 * Prints what validating a request and sending a page cost this process, in microseconds of CPU: the figures of docs/adr/0006 and 0010.
 *
 *   npm run bench:request-cost
 */
import 'reflect-metadata';
import { Agent, get } from 'node:http';
import { type AddressInfo } from 'node:net';
import { Page, Paginated, PUBLIC_BASE_URL } from '@fibre/pagination';
import { Controller, Get, Global, Module, Res } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { validateSync } from 'class-validator';
import type { Response } from 'express';
import type * as Nodes from '../../apps/coverage-service/src/access-nodes/access-node.requests.js';
import type * as Search from '../../apps/coverage-service/src/coverage-search/coverage-search.requests.js';
import type * as Events from '../../apps/event-service/src/events/event.requests.js';
import type * as Json from '../../libs/validation/src/json-text.js';
import type * as Parts from '../../libs/validation/src/request-part.js';
import { built } from './built.js';
import { build } from './service.js';
import { activationOf } from './event-service/activation.js';

const [ROUNDS, CALLS, REQUESTS] = [9, 20_000, 1_000];

for (const service of ['coverage-service', 'event-service']) await build(service);
const { SearchQuery } = await built<typeof Search>('apps/coverage-service/dist/coverage-search/coverage-search.requests.js');
const { CreateAccessNodeRequest } = await built<typeof Nodes>('apps/coverage-service/dist/access-nodes/access-node.requests.js');
const { RecordEventRequest } = await built<typeof Events>('apps/event-service/dist/events/event.requests.js');
const { InvalidParts, readPart } = await built<typeof Parts>('libs/validation/dist/request-part.js');
const { inspectJson } = await built<typeof Json>('libs/validation/dist/json-text.js');

const relation_id = '7f2a1c9e-53b0-4d1c-9a3e-6f0d5b8e2c41';
const create = { relation_id, token: 'operation', center: '48.208555, 16.372966', technology: 'ftth', customer_reference: 'CAN-1' };
const event = JSON.parse(activationOf(relation_id).body!) as object;
const requests = [
  { name: 'search', type: SearchQuery, part: 'query', sent: { center: '48.208555,16.372966', limit: '5', search_radius: '100' } },
  { name: 'create a node', type: CreateAccessNodeRequest, part: 'body', sent: create },
  { name: 'record an event', type: RecordEventRequest, part: 'body', sent: event },
] as const;

/** Median over rounds of the CPU time of one call, in microseconds. */
async function cost(calls: number, work: () => unknown): Promise<number> {
  const rounds: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const before = process.cpuUsage();
    for (let call = 0; call < calls; call++) await work();
    const { user, system } = process.cpuUsage(before);
    if (round > 0) rounds.push((user + system) / calls);
  }
  return rounds.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]!;
}

const rows: string[][] = [];
for (const { name, type, part, sent } of requests) {
  const read = (): object => readPart<object>(type, sent, part, new InvalidParts());
  const instance = read();
  const options = { forbidUnknownValues: false, stopAtFirstError: true };
  const text = JSON.stringify(sent);
  const nothing = await cost(CALLS, () => undefined);
  const whole = (await cost(CALLS, read)) - nothing;
  const validator = (await cost(CALLS, () => validateSync(instance, options))) - nothing;
  const json = part === 'body' ? (await cost(CALLS, () => inspectJson(text))) - nothing : undefined;
  rows.push([name, whole.toFixed(1), validator.toFixed(1), json?.toFixed(1) ?? '']);
}
const table = (header: string[], body: string[][]): string =>
  [header, header.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
console.log(`Node.js ${process.versions.node}, medians of ${ROUNDS} rounds, microseconds of CPU\n`);
console.log(table(['Request', 'read and validated', 'of it class-validator', 'JSON text inspected'], rows));

@Controller()
class ListingController {
  @Get('paginated')
  @Paginated(Object, 'A page.')
  paginated(): Page {
    return new Page([], 500, 1, undefined);
  }

  @Get('plain')
  plain(@Res({ passthrough: true }) response: Response): Buffer {
    response.setHeader('link', '<http://127.0.0.1/plain?_page_size=500>; rel=self');
    response.setHeader('x-page-size', '500');
    response.setHeader('x-page-count', '1');
    return Buffer.from('[]');
  }
}
@Global()
@Module({ controllers: [ListingController], providers: [{ provide: PUBLIC_BASE_URL, useValue: undefined }], exports: [PUBLIC_BASE_URL] })
class ListingModule {}

const app = await NestFactory.create<NestExpressApplication>(ListingModule, { logger: false });
await app.listen(0, '127.0.0.1');
const url = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
const agent = new Agent({ keepAlive: true });
const ask = (path: string) => (): Promise<unknown> =>
  new Promise((resolve, reject) => {
    get(`${url}/${path}`, { agent }, (response) => response.resume().on('end', resolve)).on('error', reject);
  });
const differences: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  const [plain, paginated] = [await cost(REQUESTS, ask('plain')), await cost(REQUESTS, ask('paginated'))];
  differences.push(paginated - plain);
}
differences.sort((a, b) => a - b);
console.log(
  `\nPageInterceptor, on the routes that are @Paginated alone: ${differences[Math.floor(ROUNDS / 2)]!.toFixed(0)} (${differences[0]!.toFixed(0)} to ${differences.at(-1)!.toFixed(0)})`,
);
agent.destroy();
await app.close();
