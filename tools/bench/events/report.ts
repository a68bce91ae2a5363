import type { Options } from '../options.js';
import { render } from '../report.js';
import type { Measured, ScenarioResult } from '../rounds.js';
import type { SuiteResult } from '../run-suite.js';
import type { ContestResult } from './contest.js';
import type { Sizes } from './contests.js';

export interface EventsResult extends Omit<SuiteResult, 'scenarios'> {
  results: ContestResult[];
}

const BARE = 'Bare handler';
const WITHIN = 'The service with itself, alternating in the same way. Of the two times the ratio is that of the table with more events to the other.';

/** The result as Markdown: against the bare handler as every suite, then the service with itself. */
export function renderEvents({ results, ...rest }: EventsResult, { large }: Sizes, options: Options): string {
  const againstBare = results.filter(({ contest }) => contest.second.title === BARE);
  const within = results.filter((result) => !againstBare.includes(result));
  return [
    render({ ...rest, scenarios: againstBare.map(asScenario) }, { ...options, nodes: large }),
    WITHIN,
    table(['Scenario', 'First', 'Second', 'Ratio', 'Goal', ''], within.map(ratioRow)),
    table(['Scenario', 'Connections', 'First p50 / p99', 'Second p50 / p99', 'First CPU per request', 'Second CPU per request'], within.map(latencyRow)),
  ].join('\n\n');
}

function asScenario({ contest, first, second, ratio, range }: ContestResult): ScenarioResult {
  const { name, title, token, connections, goal } = contest;
  const scenario = { name, title, token, connections, requests: [], goal: goal && 'atLeast' in goal ? goal.atLeast : undefined, comparable: JSON.parse };
  return { scenario, service: first, bare: second, ratio, range };
}

function ratioRow({ contest: { title, goal, first: { title: firstTitle }, second: { title: secondTitle } }, first, second, ratio, range }: ContestResult): string[] {
  const spread = `${ratio.toFixed(2)} (${range.map((value) => value.toFixed(2)).join(' to ')})`;
  return [title, `${firstTitle}: ${rate(first)}`, `${secondTitle}: ${rate(second)}`, spread, ...verdict(ratio, goal)];
}

function verdict(ratio: number, goal: ContestResult['contest']['goal']): [string, string] {
  if (goal === undefined) return ['', ''];
  const [text, met] = 'atLeast' in goal ? [`at least ${goal.atLeast}`, ratio >= goal.atLeast] : [`at most ${goal.atMost}`, ratio <= goal.atMost];
  return [text, met ? 'met' : '**missed**'];
}

const latencyRow = ({ contest: { title, connections }, first, second }: ContestResult): string[] => [
  title,
  String(connections),
  ...[first, second].map(({ p50, p99 }) => `${p50} / ${p99} ms`),
  ...[first, second].map(({ cpuMs }) => (cpuMs === undefined ? 'unknown' : `${cpuMs.toFixed(2)} ms`)),
];

const rate = ({ perSecond }: Measured): string => `${perSecond.toFixed(perSecond < 1_000 ? 1 : 0)}/s`;

function table(head: string[], rows: readonly string[][]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
