import { totalmem } from 'node:os';
import { parseArgs } from 'node:util';

export interface Options {
  /** Access nodes in the table of coverage-service. */
  nodes: number;
  /** Events in the larger table of event-service. */
  events: number;
  /** Rounds of each side. */
  rounds: number;
  /** Length of a round. */
  seconds: number;
  /** The one service to measure; all when absent. */
  suite?: string;
  /** Part of the name of the scenarios to run; all when absent. */
  only?: string;
  /** Write a CPU profile of each service under load below .data/bench/profiles. */
  profile: boolean;
  /** PostgreSQL's setting of that name. */
  sharedBuffers: string;
}

const DEFAULTS = { nodes: 1_000_000, events: 10_000_000, rounds: 5, seconds: 5 };
const MEGABYTE = 1024 ** 2;

/** What PostgreSQL's documentation recommends for a server with 1 GB or more: a quarter of the memory. */
const recommendedBuffers = (): string => `${Math.floor(totalmem() / 4 / MEGABYTE)}MB`;

/** Flags first, then the environment: `BENCH_NODES` and so on. */
export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      nodes: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      only: { type: 'string' },
      profile: { type: 'boolean', default: false },
    },
  });
  const number = (name: keyof typeof DEFAULTS, flag?: string): number => {
    const text = flag ?? (process.env[`BENCH_${name.toUpperCase()}`] || String(DEFAULTS[name]));
    const value = Number(text);
    if (!Number.isInteger(value) || value < 1) throw new Error(`${name} has to be a whole number from 1, not ${text}`);
    return value;
  };
  return {
    nodes: number('nodes', values.nodes),
    events: number('events'),
    rounds: number('rounds', values.rounds),
    seconds: number('seconds', values.seconds),
    suite: process.env.BENCH_SUITE || undefined,
    only: values.only,
    profile: values.profile,
    sharedBuffers: process.env.BENCH_SHARED_BUFFERS || recommendedBuffers(),
  };
}
