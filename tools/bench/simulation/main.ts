import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { WORKSPACE } from '../../workspace.js';
import { drawChart } from '../chart.js';
import { seeded } from '../random.js';
import { table } from '../report.js';
import { writeSection } from '../write-section.js';
import { type Cluster, type Second, simulate } from './cluster.js';

const SEED = 7;
/** Seconds of which the table has one row each. */
const SHOWN = [10, 21, 30, 49, 51, 55, 60, 90];

/**
 * `npm run bench -- simulation`: ten replicas of event-service and four workers under 20,000 PUTs a second, of which one worker is
 * away for half a minute. The times of one PUT are assumptions that can be replaced: nobody has measured a coordinator on a quiet machine yet.
 */
export function runSimulation(args: string[]): void {
  const { values } = parseArgs({
    args,
    options: {
      'service-ms': { type: 'string', default: '0.4' },
      'coordinator-ms': { type: 'string', default: '1' },
      'worker-ms': { type: 'string', default: '0.8' },
      puts: { type: 'string', default: '20000' },
    },
  });
  const cluster: Cluster = {
    putsPerSecond: Number(values.puts),
    ...{ replicas: 10, coordinatorProcessors: 32, workers: 4, workerProcessors: 8 },
    ...{ serviceMs: Number(values['service-ms']), coordinatorMs: Number(values['coordinator-ms']), workerMs: Number(values['worker-ms']) },
    ...{ networkMs: 0.3, seconds: 90, lost: [20, 50] },
  };
  const seconds = simulate(cluster, seeded(SEED).uniform);
  const text = [
    `Assumed: a PUT takes ${cluster.serviceMs} ms of a replica, ${cluster.coordinatorMs} ms of the coordinator (${cluster.coordinatorProcessors} processors) and ${cluster.workerMs} ms of a worker ` +
      `(${cluster.workerProcessors} processors each). A worker is away from second ${cluster.lost![0]} to ${cluster.lost![1]}; every client sends again as \`Retry-After\` says.`,
    table(
      ['Second', 'Recorded', 'Refused', '99 % within', 'Coordinator', 'Worker'],
      SHOWN.map((second) => row(second, seconds[second - 1]!)),
    ),
  ].join('\n\n');
  process.stdout.write(`${text}\n`);
  writeSection(join(WORKSPACE, 'docs/scaling.md'), 'simulation', text);
  const line = (name: string, colour: string, value: (second: Second) => number) => ({
    ...{ name, colour },
    points: seconds.map((second, i) => [i + 1, value(second)] as const),
  });
  writeFileSync(
    join(WORKSPACE, 'docs/scaling-worker-lost.svg'),
    drawChart({
      title: `${cluster.putsPerSecond.toLocaleString('en-GB')} PUTs a second, one of ${cluster.workers} workers away from second ${cluster.lost!.join(' to ')}`,
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
