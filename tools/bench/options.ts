import { parseArgs } from 'node:util';

export interface Options {
  /** Access nodes in the table. */
  nodes: number;
  /** Rounds of each side. */
  rounds: number;
  /** Length of a round. */
  seconds: number;
  /** Part of the name of the scenarios to run; all when absent. */
  only?: string;
  /** Write a CPU profile of each service under load below .data/bench/profiles. */
  profile: boolean;
}

const DEFAULTS = { nodes: 1_000_000, rounds: 5, seconds: 5 };

/** Flags first, then `BENCH_NODES`, `BENCH_ROUNDS` and `BENCH_SECONDS`. */
export function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      nodes: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      only: { type: 'string' },
      profile: { type: 'boolean', default: false },
    },
  });
  const number = (name: keyof typeof DEFAULTS): number => {
    const text = values[name] ?? process.env[`BENCH_${name.toUpperCase()}`] ?? String(DEFAULTS[name]);
    const value = Number(text);
    if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} has to be a whole number from 1, not ${text}`);
    return value;
  };
  return { nodes: number('nodes'), rounds: number('rounds'), seconds: number('seconds'), only: values.only, profile: values.profile };
}
