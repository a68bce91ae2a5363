import { drawChart, type Line, type Point } from '../chart.js';
import type { OverloadResult } from './measure.js';
import type { OverloadSubject } from './suites.js';

/** Goodput against offered load, as an SVG. */
export function plot({ title }: OverloadSubject, before: OverloadResult | undefined, after: OverloadResult): string {
  const pointsOf = ({ curve }: OverloadResult): Point[] => [[0, 0], ...curve.map(({ offered, good }): Point => [offered, good])];
  const [now, was] = [pointsOf(after), before ? pointsOf(before) : []];
  const highest = Math.max(...[...now, ...was].map(([, good]) => good));
  const lines: Line[] = [{ name: 'now', colour: '#1b6ca8', points: now }];
  if (before) lines.unshift({ name: 'before', colour: '#d95f02', points: was });
  return drawChart({
    title: `${title}: goodput against offered load`,
    xLabel: 'requests offered per second',
    yLabel: 'answered 2xx per second',
    lines: [
      {
        ...{ name: 'as much as is asked', colour: '#999999', dashed: true },
        points: [
          [0, 0],
          [highest, highest],
        ],
      },
      ...lines,
    ],
  });
}
