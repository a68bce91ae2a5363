import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Context, type Flags } from '../shared/command.js';
import { variableOf } from '../shared/settings.env.js';

/** What the declaration of a command needs. */
export interface Declaring {
  /** A new command of `fibre`. */
  readonly command: (name: string, description: string) => Command;
  readonly run: (command: (flags: Flags, context: Context) => Promise<void>) => (flags: object, self: Command) => Promise<void>;
  /** Runs a command with one argument. */
  readonly runOn: <What>(
    command: (what: What, flags: Flags, context: Context) => Promise<void>,
  ) => (what: What, flags: object, self: Command) => Promise<void>;
}

export const declaring = (fibre: Command, context: Context): Declaring => ({
  command: (name, description) => fibre.command(name).description(description),
  run: (command) => async (_flags, self) => command(self.optsWithGlobals<Flags>(), context),
  runOn: (command) => async (what, _flags, self) => command(what, self.optsWithGlobals<Flags>(), context),
});

export function setting(flags: string, description: string): Option {
  const option = new Option(flags, description);
  option.description += ` (env: ${variableOf(option.attributeName())})`;
  return option;
}

export const choice = (flags: string, description: string, values: readonly string[]): Option =>
  new Option(flags, description).choices(values);

/** An option for the tenant's own records, not for those that are published. */
export function own(flags: string, description: string): Option {
  return new Option(flags, description).conflicts('published');
}

export function namespaced(command: Command): Command {
  return command.addOption(setting('--namespace <name>', 'a separate state for development and tests'));
}

export function charged(command: Command): Command {
  return namespaced(command)
    .option('--from <when>', 'a month such as 2026-10, or the start of the window: 2026-10-01, 2026-10-01T00:00:00+02:00')
    .option('--to <when>', 'end of the window, exclusive (default: the end of the month)')
    .option('--timezone <name>', 'time zone of dates (default: Europe/Vienna)')
    .option('--partner <uuid>', 'only this internet service provider')
    .option('--entity-id <uuid>', 'only this entity')
    .option('--article-code <code>', 'only this article')
    .option('--closing <uuid>', 'the window, time zone, provider and instant of this closing, as printed by fibre close')
    .option('--recorded-until <time>', 'only events recorded until this time (default: all settled events)');
}

export function toFile(command: Command, formats: readonly string[]): Command {
  return command
    .addOption(choice('--format <format>', 'format (default: from the name of the file, otherwise csv)', formats))
    .option('-o, --output <file>', 'file to write, compressed if its name ends in .gz (default: stdout)');
}

export function number(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || Number.isNaN(value)) throw new InvalidArgumentError('Not a number.');
  return value;
}
