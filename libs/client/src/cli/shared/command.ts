import type { Readable, Writable } from 'node:stream';
import { type Collection, type FileFormat } from '../../index.js';
import { type Environment, type Settings } from './settings.env.js';

/** What a process gives to every command in addition to its arguments. */
export interface Context {
  readonly env: Environment;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable & { readonly isTTY?: boolean };
  /** Aborted by Ctrl-C and SIGTERM. */
  signal: AbortSignal;
  /** Describes what may have changed when the command is interrupted or loses its connection. */
  leaves?: () => string;
}

type Switch = 'json' | 'dryRun' | 'gzip' | 'published' | 'follow' | 'line';
type Text =
  | ('file' | 'output' | 'backup' | 'idempotencyKey' | 'address' | 'words' | 'mode' | 'relationId' | 'absent')
  | ('partner' | 'month' | 'from' | 'to' | 'timezone' | 'closing' | 'recordedFrom' | 'recordedUntil' | 'untilClosing');

/** The flags of all commands, except those that are only parameters of the API; each command accepts some of them. */
export interface Flags extends Settings, Partial<Record<Switch, boolean>>, Partial<Record<Text, string>> {
  format?: FileFormat;
  order?: 'asc' | 'desc';
  target?: Collection;
}

/** Flags as API parameters: commander calls --relation-id `relationId`, but the API calls it `relation_id`. */
export function parameters<const Names extends readonly string[]>(flags: object, names: Names): Record<Names[number], never> {
  const given = flags as Record<string, unknown>;
  const entries = names.map((name) => [name, given[name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())]]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Record<Names[number], never>;
}
