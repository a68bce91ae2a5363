import { machine } from './machine.js';
import type { Options } from './options.js';
import type { Measured, ScenarioResult } from './rounds.js';
import type { SuiteResult } from './run-suite.js';
import type { Contestant, Goal } from './scenario.js';

/** Goals beside the ratios. */
const [MAX_MEGABYTES, MAX_START_MS, MAX_EVENT_LOOP_MS] = [200, 500, 20];
const WITHIN =
  'The service with itself, alternating in the same way. Of the two times the ratio is that of the table with more events to the other.';

/** The result as Markdown: against the bare handler, then the service with itself. */
export function render(
  { results, records, peakMegabytes, startMs, eventLoopMs, postgres }: SuiteResult,
  { rounds, seconds }: Options,
): string {
  const againstBare = results.filter(({ scenario }) => scenario.first.title === undefined);
  const within = results.filter((result) => !againstBare.includes(result));
  const whole = [
    [
      'Most resident memory of the service, over all the load',
      `${Math.round(peakMegabytes)} MB`,
      `at most ${MAX_MEGABYTES} MB`,
      verdict(peakMegabytes <= MAX_MEGABYTES),
    ],
    [
      'Start of the process to its first answer, median of five',
      `${(startMs / 1_000).toFixed(2)} s`,
      `at most ${MAX_START_MS / 1_000} s`,
      verdict(startMs <= MAX_START_MS),
    ],
    ...(eventLoopMs === undefined ? [] : [eventLoopRow(eventLoopMs)]),
  ];
  return [
    `Medians of ${rounds} alternating rounds of ${seconds} s. The ratio is the median over pairs of neighbouring rounds, with the least and the greatest in brackets.`,
    ratios('Service', 'Bare handler', againstBare),
    latencies('Service', 'Bare', againstBare),
    table(['Of the process', 'Measured', 'Goal', ''], whole),
    table(['Machine', ''], machine(postgres, records)),
    ...(within.length === 0 ? [] : [WITHIN, ratios('First', 'Second', within), latencies('First', 'Second', within)]),
  ].join('\n\n');
}

const eventLoopRow = (milliseconds: number): string[] => [
  'Event loop delay at four fifths of the most it answers, p99',
  `${milliseconds.toFixed(0)} ms`,
  `less than ${MAX_EVENT_LOOP_MS} ms`,
  verdict(milliseconds < MAX_EVENT_LOOP_MS),
];

/** How fast each side is, by scenario. */
export const ratios = (first: string, second: string, results: readonly ScenarioResult[]): string =>
  table(['Scenario', first, second, 'Ratio', 'Goal', ''], results.map(ratioRow));

/** What an answer takes on each side, by scenario. */
export const latencies = (first: string, second: string, results: readonly ScenarioResult[]): string =>
  table(
    ['Scenario', 'Connections', `${first} p50 / p99`, `${second} p50 / p99`, `${first} CPU per request`, `${second} CPU per request`],
    results.map(latencyRow),
  );

function ratioRow({ scenario, first, second, ratio, range }: ScenarioResult): string[] {
  const spread = `${ratio.toFixed(2)} (${range.map((value) => value.toFixed(2)).join(' to ')})`;
  return [
    scenario.title,
    throughput(scenario.first, first),
    throughput(scenario.second, second),
    spread,
    ...brokenSteps(ratio, scenario.goal),
  ];
}

const latencyRow = ({ scenario, first, second }: ScenarioResult): string[] => [
  scenario.title,
  String(scenario.connections),
  ...[first, second].map(({ p50, p99 }) => `${p50} / ${p99} ms`),
  ...[first, second].map(({ cpuMs }) => (Number.isNaN(cpuMs) ? 'unknown' : `${cpuMs.toFixed(2)} ms`)),
];

function throughput({ title }: Contestant, { perSecond, megabytesPerSecond }: Measured): string {
  const rate = `${perSecond.toFixed(perSecond < 1_000 ? 1 : 0)}/s`;
  if (title !== undefined) return `${title}: ${rate}`;
  return megabytesPerSecond < 10 ? rate : `${rate}, ${Math.round(megabytesPerSecond)} MB/s`;
}

function brokenSteps(ratio: number, goal: Goal | undefined): [goal: string, verdict: string] {
  if (goal === undefined) return ['', ''];
  return 'atLeast' in goal
    ? [`at least ${goal.atLeast}`, verdict(ratio >= goal.atLeast)]
    : [`at most ${goal.atMost}`, verdict(ratio <= goal.atMost)];
}

const verdict = (met: boolean): string => (met ? 'met' : '**missed**');

/** A table as Markdown. */
export function table(head: string[], rows: readonly string[][]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
