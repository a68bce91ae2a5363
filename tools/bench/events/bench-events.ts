import { join } from 'node:path';
import { Child } from '../child.js';
import { startIssuer, type Token } from '../issuer.js';
import type { Options } from '../options.js';
import { peakMegabytes } from '../process-stats.js';
import { median } from '../rounds.js';
import { build, firstAnswer, POOL_SIZE, startService, type Service, type ServiceOptions } from '../service.js';
import { type ContestResult, hold } from './contest.js';
import { contests, type Sides, type Sizes } from './contests.js';
import { SERVICE, startDatabases } from './databases.js';
import { TENANT } from './load-events.js';
import { renderEvents } from './report.js';
import { EVENTS } from './requests.js';

const STARTS = 5;
/** The small table has this part of the large one's events, and both have one entity for each of them. */
const GROWTH = 100;

type Say = (line: string) => void;

/** The bench of event-service: the service against the bare handler, and the service against itself. @returns Markdown */
export async function benchEvents(options: Options, say: Say): Promise<string> {
  const large = Number(process.env.BENCH_EVENTS || 10_000_000);
  const sizes: Sizes = { small: Math.round(large / GROWTH), large };
  say(`building ${SERVICE}`);
  await build(SERVICE);
  const issuer = await startIssuer();
  try {
    const databases = await startDatabases(sizes.small, sizes.large, issuer.url, say);
    try {
      const on = (databaseUrl: string): ServiceOptions => ({ service: SERVICE, databaseUrl, issuer: issuer.url, profile: options.profile });
      say(`starting ${SERVICE} ${STARTS} times`);
      const starts: number[] = [];
      while (starts.length < STARTS) starts.push(await timeStart(on(databases.large), issuer.token));
      const measured = await underLoad(on(databases.small), on(databases.large), sizes, issuer.token, options, say);
      return renderEvents({ ...measured, startMs: median(starts), postgres: databases.postgres }, sizes, options);
    } finally {
      await databases.stop();
    }
  } finally {
    issuer.close();
  }
}

async function timeStart(options: ServiceOptions, token: Token): Promise<number> {
  const begin = performance.now();
  const service = await startService({ ...options, profile: false });
  await firstAnswer(service, `${EVENTS}/latest?_page_size=1`, await token(TENANT, 'events:read'));
  const took = performance.now() - begin;
  await service.child.stop();
  return took;
}

async function underLoad(
  onSmall: ServiceOptions,
  onLarge: ServiceOptions,
  sizes: Sizes,
  token: Token,
  { only = '', rounds, seconds }: Options,
  say: Say,
): Promise<{ results: ContestResult[]; peakMegabytes: number }> {
  const services = [await startService(onSmall), await startService(onLarge)] as const;
  const bare = new Child(join(import.meta.dirname, 'bare-server.ts'), {
    // Without the bench's `--conditions=source`, so that it runs the built statements.
    execArgv: ['--import', '@swc-node/register/esm-register'],
    env: { ...process.env, DATABASE_URL: onLarge.databaseUrl, DATABASE_POOL_SIZE: POOL_SIZE },
  });
  try {
    const side = ({ url, child }: Service): Sides['small'] => ({ url, pid: child.pid });
    const [small, large] = services;
    const sides: Sides = { small: side(small), large: side(large), bare: { url: `http://127.0.0.1:${await bare.message<number>()}`, pid: bare.pid } };
    for (const service of services) await firstAnswer(service, '/health/ready', '');
    const results: ContestResult[] = [];
    for (const contest of (await contests(sides, sizes, token)).filter(({ name }) => name.includes(only))) {
      say(`${contest.title}: ${rounds} rounds of ${seconds} s for each side`);
      const result = await hold(contest, rounds, seconds);
      say(`  ratio ${result.ratio.toFixed(2)}, resident at most ${Math.round(await peakMegabytes(large.child.pid, large.url))} MB so far`);
      results.push(result);
    }
    return { results, peakMegabytes: await peakMegabytes(large.child.pid, large.url) };
  } finally {
    await Promise.all([...services.map(({ child }) => child.stop()), bare.stop()]);
  }
}
