import type { OverloadResult } from './measure.js';
import type { OverloadSubject } from './suites.js';

type Measured = OverloadResult & { machine?: [string, string][] };

interface Row {
  what: string;
  value: (result: Measured) => number;
  unit: string;
  atLeast?: number;
  atMost?: number;
}

const floods = [
  ['2,000 connections that heed `Retry-After`', 'closed'],
  ['2,000 connections that do not', 'closedIgnoring'],
  ['four times the peak, open loop', 'open'],
] as const;

/** Without a goal a row is for information. */
const ROWS: Row[] = [
  { what: 'Peak', value: ({ peak }) => peak.good, unit: '/s' },
  { what: 'Peak, 99 %', value: ({ peak }) => peak.p99, unit: ' ms' },
  ...floods.flatMap(([what, key]): Row[] => [
    { what: `${what}: goodput / peak`, value: (result) => result[key].good / result[key].peakGood, unit: '', atLeast: 0.8 },
    { what: '99 % of the accepted / 99 % at the peak', value: (result) => result[key].p99 / result[key].peakP99, unit: '', atMost: 3 },
    { what: '99 % of the refusals', value: (result) => result[key].refusalP99, unit: ' ms', atMost: 100 },
    { what: 'refused', value: (result) => result[key].refused, unit: '/s' },
    { what: 'not answered', value: (result) => result[key].failed, unit: '/s' },
    { what: 'slowest probe', value: (result) => result[key].slowestProbe, unit: ' ms', atMost: 1_000 },
    { what: 'latency normal again after', value: (result) => result[key].recoverySeconds, unit: ' s', atMost: 5 },
  ]),
  { what: '250 clients that do not read: memory', value: ({ stalled }) => stalled.megabytes, unit: ' MB', atMost: 400 },
  // Of the others the system holds all that was answered, and the process nothing.
  { what: 'of them cut', value: ({ stalled }) => stalled.cut, unit: '' },
  {
    what: '20 modest clients beside a greedy one / alone',
    value: ({ fairness }) => fairness.withGreedy.good / fairness.alone.good,
    unit: '',
    atLeast: 0.9,
  },
];

export function render({ service, title }: OverloadSubject, before: Measured | undefined, after: Measured): string {
  const rows = ROWS.map(({ what, value, unit, atLeast, atMost }) => [
    what,
    before ? show(value(before), unit) : 'not measured',
    show(value(after), unit),
    atLeast !== undefined ? `at least ${show(atLeast, unit)}` : atMost !== undefined ? `at most ${show(atMost, unit)}` : '',
    verdict(value(after), atLeast, atMost),
  ]);
  return [
    `${title}.`,
    table([['', 'Before', 'Now', 'Goal', ''], ...rows]),
    `![Goodput against offered load](overload-${service}.svg)`,
    table([['Machine', ''], ...(after.machine ?? [])]),
  ].join('\n\n');
}

const show = (value: number, unit: string): string => {
  return `${value.toLocaleString('en-GB', { maximumFractionDigits: value < 10 ? 2 : 0 })}${unit}`;
};

function verdict(value: number, atLeast: number | undefined, atMost: number | undefined): string {
  if (atLeast === undefined && atMost === undefined) return '';
  return value >= (atLeast ?? -Infinity) && value <= (atMost ?? Infinity) ? 'met' : '**missed**';
}

const table = ([head, ...rows]: string[][]): string =>
  [head!, head!.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
