import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { WORKSPACE } from '../../workspace.js';
import { drawChart } from '../chart.js';
import { seeded } from '../random.js';
import { table } from '../report.js';
import { writeSection } from '../document-section.js';
import { type Second, simulate } from './cluster.js';

const SEED = 7;
/** Seconds of which the table has one row each. */
const SHOWN = [10, 21, 30, 49, 51, 55, 60, 90];

/** What there is: the first is what was planned, the second what the times say it takes. */
const SIZES = [
  { replicas: 10, coordinatorProcessors: 32, workers: 4, workerProcessors: 8 },
  { replicas: 40, coordinatorProcessors: 32, workers: 4, workerProcessors: 16 },
] as const;

/**
 * `npm run bench -- simulation`: event-service and a cluster under 20,000 PUTs a second, of which one worker is away for half a minute.
 * Times of one PUT are those that `npm run bench -- citus` measured.
 */
export function runSimulation(args: string[]): void {
  const { values } = parseArgs({
    args,
    options: {
      'service-ms': { type: 'string', default: '1.5' },
      'coordinator-ms': { type: 'string', default: '1' },
      'worker-ms': { type: 'string', default: '2.2' },
      puts: { type: 'string', default: '20000' },
    },
  });
  const [serviceMs, coordinatorMs, workerMs] = [values['service-ms'], values['coordinator-ms'], values['worker-ms']].map(Number) as [
    number,
    number,
    number,
  ];
  const given = {
    putsPerSecond: Number(values.puts),
    serviceMs,
    coordinatorMs,
    workerMs,
    networkMs: 0.3,
    seconds: 90,
    lost: [20, 50] as const,
  };
  const runs = SIZES.map((size) => ({ size, seconds: simulate({ ...given, ...size }, seeded(SEED).uniform) }));
  const text = [
    `A PUT takes ${serviceMs} ms of a replica, ${coordinatorMs} ms of the coordinator and ${workerMs} ms of a worker. A worker is away from second ${given.lost[0]} to ${given.lost[1]}; ` +
      'every client sends again as `Retry-After` says.',
    ...runs.flatMap(({ size: { replicas, coordinatorProcessors, workers, workerProcessors }, seconds }) => [
      `**${replicas} replicas, a coordinator of ${coordinatorProcessors} processors, ${workers} workers of ${workerProcessors}:**`,
      table(
        ['Second', 'Recorded', 'Refused', '99 % within', 'Coordinator', 'Worker'],
        SHOWN.map((second) => row(second, seconds[second - 1]!)),
      ),
    ]),
  ].join('\n\n');
  process.stdout.write(`${text}\n`);
  writeSection(join(WORKSPACE, 'docs/scaling.md'), 'simulation', text);
  const { seconds } = runs.at(-1)!;
  const line = (name: string, colour: string, value: (second: Second) => number) => ({
    ...{ name, colour },
    points: seconds.map((second, i) => [i + 1, value(second)] as const),
  });
  writeFileSync(
    join(WORKSPACE, 'docs/scaling-worker-lost.svg'),
    drawChart({
      title: `${given.putsPerSecond.toLocaleString('en-GB')} PUTs a second, ${SIZES.at(-1)!.replicas} replicas, one of ${SIZES.at(-1)!.workers} workers away from second ${given.lost.join(' to ')}`,
      xLabel: 'second',
      yLabel: 'per second',
      lines: [line('recorded', '#1b6ca8', ({ good }) => good), line('refused', '#d95f02', ({ refused }) => refused)],
    }),
  );
}

const percent = (part: number): string => `${Math.round(part * 100)} %`;

const row = (second: number, { good, refused, p99, coordinator, worker }: Second): string[] => [
  ...[String(second), `${good.toLocaleString('en-GB')}/s`, `${refused.toLocaleString('en-GB')}/s`],
  ...[`${Math.round(p99).toLocaleString('en-GB')} ms`, percent(coordinator), percent(worker)],
];
