import { drawChart } from '../chart.js';
import type { Server } from '../running.js';
import type { Latency } from './latency.js';

/** One kind of request, by the size of the table. */
export interface Grown {
  readonly name: string;
  readonly servers: readonly Pick<Server, 'records'>[];
  readonly times: readonly Latency[];
}

const COLOURS = ['#1b6ca8', '#d95f02', '#1b9e77', '#7570b3'];

/** Time against the size of the table, as an SVG. */
export const drawGrowth = (grown: readonly Grown[]): string =>
  drawChart({
    title: 'Median time of a request, one at a time, against the size of the table',
    xLabel: 'records in the table',
    yLabel: 'milliseconds',
    logarithmic: true,
    lines: grown.map(({ name, servers, times }, index) => ({
      name,
      colour: COLOURS[index % COLOURS.length]!,
      points: servers.map(({ records }, size) => [records, times[size]!.p50] as const),
    })),
  });
