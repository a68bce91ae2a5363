import { type Settings } from './settings.env.js';

/** What every command gets besides its arguments. */
export interface Context {
  /** Aborted by Ctrl-C and SIGTERM. */
  signal: AbortSignal;
  /** Says what may have changed after an interruption or a lost connection. */
  leaves?: () => string;
}

/** The flags of every command. */
export interface CommonFlags extends Settings {
  json?: boolean;
}

/** Flags as parameters of the API: commander's name for --relation-id is relationId, the API's is relation_id. */
export function parameters<const Names extends readonly string[]>(flags: object, names: Names): Record<Names[number], never> {
  const given = flags as Record<string, unknown>;
  const entries = names.map((name) => [name, given[name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())]]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Record<Names[number], never>;
}
