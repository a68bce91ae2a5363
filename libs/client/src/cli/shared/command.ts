import { type Collection, type FileFormat } from '../../index.js';
import { type Settings } from './settings.env.js';

/** Passed to every command in addition to its arguments. */
export interface Context {
  /** Aborted by Ctrl-C and SIGTERM. */
  signal: AbortSignal;
  /** Describes what may have changed when the command is interrupted or loses its connection. */
  leaves?: () => string;
}

/** The flags of all commands, except those that are only parameters of the API; each command accepts some of them. */
export interface Flags extends Settings {
  json?: boolean;
  dryRun?: boolean;
  idempotencyKey?: string;
  format?: FileFormat;
  gzip?: boolean;
  file?: string;
  output?: string;
  backup?: string;
  published?: boolean;
  order?: 'asc' | 'desc';
  follow?: boolean;
  address?: string;
  mode?: string;
  target?: Collection;
  relationId?: string;
  absent?: string;
  line?: boolean;
  partner?: string;
  month?: string;
  from?: string;
  to?: string;
  closing?: string;
  recordedFrom?: string;
  recordedUntil?: string;
  untilClosing?: string;
}

/** Flags as API parameters: commander calls --relation-id `relationId`, but the API calls it `relation_id`. */
export function parameters<const Names extends readonly string[]>(flags: object, names: Names): Record<Names[number], never> {
  const given = flags as Record<string, unknown>;
  const entries = names.map((name) => [name, given[name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())]]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Record<Names[number], never>;
}
