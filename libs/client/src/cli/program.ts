import { readFileSync } from 'node:fs';
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { COLLECTIONS, ENTITY_STATES, EVENT_TYPES, FILE_FORMATS, OFFERS, TOKENS } from '../index.js';
import { type Context, type Flags } from './shared/command.js';
import { changes, FEEDS } from './commands/changes.js';
import { entities, eraseEntity } from './commands/entities.js';
import { exportEvents } from './commands/export-events.js';
import { exportNodes } from './commands/export-nodes.js';
import { importNodes } from './commands/import-nodes.js';
import { lines } from './commands/lines.js';
import { merge } from './commands/merge.js';
import { close, corrections, periods, totals } from './commands/periods.js';
import { putEvents } from './commands/put-events.js';
import { relations } from './commands/relations.js';
import { search } from './commands/search.js';
import { variableOf } from './shared/settings.env.js';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };

const EPILOGUE = `
Environment, besides the variables above:
  FIBRE_CLIENT_SECRET  secret of the client
  FIBRE_ACCESS_TOKEN   an access token, instead of issuer, client and secret

Exit codes:
  0    done
  1    a row, an event, the request or the client was rejected
  2    the command line, a setting or a file is invalid
  3    no response, or the service cannot handle the request now: try again later
  70   a bug in this command
  130  interrupted (Ctrl-C), 143 by SIGTERM`;

const STAGES = new Intl.ListFormat('en', { type: 'disjunction' }).format(TOKENS);
/** Flags that do not go with a search for an address. */
const NOT_AT_ADDRESS = ['searchRadius', 'limit', 'output', 'format', 'gzip'];
const FEED =
  'nodes: your production nodes; search: those of every operator, as the search shows them; events; lines: those of an internet service provider';
const OFFER = 'only nodes at which you may promise this today';
const CONNECTED = 'only nodes with at least one connected unit (true), or with none (false)';
const AVAILABLE_UNTIL = 'only nodes that can be ordered by this date, such as 2027-03-01';

export function program(context: Context): Command {
  const run = (command: (flags: Flags, context: Context) => Promise<void>) => async (_flags: object, self: Command) =>
    command(self.optsWithGlobals<Flags>(), context);
  const runOn =
    <What>(command: (what: What, flags: Flags, context: Context) => Promise<void>) =>
    async (what: What, _flags: object, self: Command) =>
      command(what, self.optsWithGlobals<Flags>(), context);
  const fibre = new Command('fibre')
    .description('Use the coverage and event APIs of Open Access Fibre from the command line.')
    .version(version)
    .option('--json', 'one JSON document per line instead of a table')
    .addOption(setting('--coverage-url <url>', 'address of the coverage API'))
    .addOption(setting('--events-url <url>', 'address of the event API'))
    .addOption(setting('--issuer <url>', 'OAuth 2.0 issuer of access tokens'))
    .addOption(setting('--client-id <id>', 'client at the issuer'))
    .addOption(setting('--scope <scopes>', 'scopes to request'))
    .addOption(setting('--audience <audience>', 'audience to request'))
    .addOption(setting('--resource <uri>', 'resource to request (RFC 8707)'))
    .addHelpText('after', EPILOGUE)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: (text) => context.stdout.write(text), writeErr: (text) => context.stderr.write(text) })
    .exitOverride();

  command('import', 'create and update coverage access nodes from a file')
    .argument('<file>', 'file to read, - for stdin')
    .addOption(choice('--format <format>', 'format of the file (default: from its name)', FILE_FORMATS))
    .option('--gzip', 'the file is compressed (default: from its name)')
    .addOption(choice('--target <collection>', 'where the nodes go (default: nodes)', COLLECTIONS))
    .addOption(choice('--mode <mode>', 'strict imports all rows or none, lax the valid ones (default: strict)', ['strict', 'lax']))
    .option('--dry-run', 'check everything and change nothing')
    .option('--relation-id <uuid>', 'relation for all rows')
    .option('--token <token>', `token for all rows: ${STAGES}`)
    .addOption(choice('--absent <what>', 'delete removes the nodes of the relation that no row names (default: keep)', ['keep', 'delete']))
    .option(
      '--max-deleted <count>',
      'most nodes to delete (default: 10 or a tenth of them, whichever is more; none if the file names none)',
      number,
    )
    .option('--backup <file>', 'first export the nodes of the relation to this new file; if that fails, import nothing')
    .option('--idempotency-key <key>', 'repeating the key with the same file returns the first response (default: a new key)')
    .action(runOn(importNodes));

  toFile(command('export', 'write coverage access nodes to a file'), FILE_FORMATS)
    .option('--published', 'production nodes of every operator, as the search shows them')
    .addOption(new Option('--tenant <tenant>', 'only this operator').implies({ published: true }))
    .addOption(own('--target <collection>', 'collection (default: nodes)').choices(COLLECTIONS))
    .option('--relation-id <uuid>', 'only this relation')
    .option('--token <token>', `only this stage: ${STAGES}`)
    .option('--technology <technology>', 'only this technology')
    .option('--status <status>', 'only this status')
    .addOption(choice('--connected <boolean>', CONNECTED, ['true', 'false']))
    .addOption(choice('--offer <offer>', OFFER, OFFERS).implies({ published: true }))
    .addOption(own('--available-until <date>', AVAILABLE_UNTIL))
    .addOption(own('--customer-reference <text>', 'only this reference'))
    .addOption(own('--modified-since <time>', 'only nodes created or changed since this time, for example 2026-02-01T00:00:00+01:00'))
    .addOption(own('--created-by <name>', 'only nodes that this person or program created'))
    .addOption(own('--modified-by <name>', 'only nodes that this person or program created or changed last'))
    .action(run(exportNodes));

  command('search', 'production nodes around a coordinate, at an address, or around each place in a file, nearest first')
    .argument('[center]', 'latitude and longitude: "48.2108, 16.3575"; put -- before it if it begins with a minus sign')
    .addOption(new Option('--address <id>', 'nodes at this address, by its id in the register').conflicts(NOT_AT_ADDRESS))
    .addOption(new Option('--words <words>', 'up to ten nodes whose address has these words: "haupt 5 linz"').conflicts(NOT_AT_ADDRESS))
    .option('--file <file>', 'file of places or address ids to read, - for stdin; the output has the columns of the file and the results')
    .addOption(choice('--format <format>', 'format of the file (default: from its name)', FILE_FORMATS))
    .option('--gzip', 'the file is compressed (default: from its name)')
    .option('-o, --output <file>', 'file to write, compressed if its name ends in .gz (default: stdout)')
    .option('--search-radius <metres>', 'radius (default: 100)', number)
    .option('--limit <count>', 'maximum number of results, up to 10 (default: 5, or 1 for each place in a file)', number)
    .option('--token <token>', `only this stage: ${STAGES}`)
    .option('--technology <technology>', 'only this technology')
    .option('--status <status>', 'only this status (default: all but terminated)')
    .option('--available-until <date>', AVAILABLE_UNTIL)
    .addOption(choice('--connected <boolean>', CONNECTED, ['true', 'false']))
    .addOption(choice('--offer <offer>', OFFER, OFFERS))
    .action(runOn(search));

  command('relations', 'list relations: yours or, with --published, what internet service providers see of every operator')
    .option('--published', 'those of every operator that have nodes in production, with contact and number of nodes')
    .addOption(new Option('--tenant <tenant>', 'only this operator').implies({ published: true }))
    .addOption(own('--name <name>', 'only the one with this name'))
    .addOption(own('--pip <name>', 'only those with this infrastructure provider'))
    .addOption(own('--order <order>', 'oldest (asc, the default) or newest (desc) first').choices(['asc', 'desc']))
    .action(run(relations));

  command('merge', 'move all pre-production nodes of a relation to production')
    .argument('<relation_id>', 'the relation')
    .option('--backup <file>', 'first export the production nodes of the relation to this new file; if that fails, merge nothing')
    .action(runOn(merge));

  namespaced(command('changes', 'list changes to nodes, events or lines, to keep a copy up to date'))
    .addArgument(new Argument('<feed>', FEED).choices(FEEDS))
    .option('--follow', 'wait for further changes')
    .option('--from <place>', 'continue where the last run ended')
    .option('--since <time>', 'only changes since this time, for example 2026-02-01T00:00:00+01:00')
    .option('--relation-id <uuid>', 'only nodes of this relation')
    .option('--entity-id <uuid>', 'only events of this entity')
    .option('--event-type <type>', 'only events of this type')
    .action(runOn(changes));

  const events = command('events', 'lifecycle events of billable entities');
  namespaced(events.command('put').description('record events; safe to repeat'))
    .argument('<file>', 'an event, an array of events, or one event per line, as JSON, also as written by fibre events export; - for stdin')
    .option('--dry-run', 'only say what each event would do; it does not see earlier events of the file')
    .action(runOn(putEvents));
  toFile(namespaced(events.command('export').description('write events to a file')), ['csv', 'ndjson'])
    .option('--period <date>', 'only this day, such as 2026-02-01')
    .option('--period-end <date>', 'last day of the range that begins with --period, inclusive')
    .option('--token <token>', 'only fresh, untouched or completed events')
    .option('--entity-id <uuid>', 'only this entity')
    .addOption(choice('--event-type <type>', 'only events of this type', EVENT_TYPES))
    .option('--partner-id <uuid>', 'only events of this partner')
    .option('--recorded-from <time>', 'only events recorded after this time, such as 2026-02-01T00:00:00+01:00')
    .option('--recorded-until <time>', 'only events recorded up to this time')
    .option('--created-by <name>', 'only events that this person or program recorded')
    .option('--modified-by <name>', 'only events that this person or program overwrote last')
    .action(run(exportEvents));

  const ofEntities = namespaced(command('entities', 'list billable entities and their states, or show one with its billing periods'))
    .argument('[entity_id]', 'the entity to show')
    .addOption(choice('--state <state>', 'only entities in this state', ENTITY_STATES))
    .option('--partner-id <uuid>', 'only entities whose current subscription belongs to this partner')
    .option('--article-code <code>', 'only entities whose current subscription has this article')
    .option('--at <time>', 'states as of this time, such as 2026-02-01T00:00:00+01:00')
    .action(runOn(entities));
  namespaced(ofEntities.command('erase').description('erase the user attributes of all events of an entity'))
    .argument('<entity_id>', 'the entity')
    .option('--line', 'also erase option82 and partner_reference')
    .action(runOn(eraseEntity));

  const billing = ['csv', 'ndjson', 'xlsx'];
  toFile(charged(command('periods', 'write the charges for a time window to a file')), billing).action(run(periods));
  toFile(charged(command('totals', 'show the charges for a time window by ISP and article')), billing).action(run(totals));
  charged(command('corrections', 'show what to credit (-) and charge (+) since an invoice'))
    .addOption(choice('--format <format>', 'write a spreadsheet (default: if the name of the file ends in .xlsx)', ['xlsx']))
    .option('-o, --output <file>', 'file to write')
    .option('--recorded-from <time>', 'when the invoice was made, as printed by fibre periods')
    .option('--until-closing <uuid>', 'only changes up to this closing')
    .action(run(corrections));
  namespaced(command('close', 'remember what is invoiced for a month'))
    .requiredOption('--month <month>', 'the month, such as 2026-10')
    .option('--timezone <name>', 'time zone of the month (default: Europe/Vienna)')
    .option('--partner <uuid>', 'only this internet service provider (default: all)')
    .option('--recorded-until <time>', 'what you have reviewed, as printed by fibre totals (default: all settled events)')
    .option('--reference <text>', 'your own reference, such as the number of the invoice')
    .option('--comment <text>', 'your own comment')
    .option('--idempotency-key <key>', 'repeating the key returns the first closing (default: a new key)')
    .action(run(close));

  toFile(command('lines', 'list the lines of an internet service provider, or write them to a file'), billing)
    .option('--at <time>', 'as of this time, such as 2026-02-01T03:12:00+01:00 (default: now)')
    .option('--tenant <tenant>', 'only this operator')
    .option('--entity-id <uuid>', 'only this entity')
    .option('--partner-id <uuid>', 'only the provider with this id at an operator')
    .option('--article-code <code>', 'only this article')
    .option('--option82 <circuit>', 'only this circuit, exactly')
    .option('--partner-reference <text>', 'only this reference, exactly')
    .action(run(lines));

  return fibre;

  function command(name: string, description: string): Command {
    return fibre.command(name).description(description);
  }
}

function setting(flags: string, description: string): Option {
  const option = new Option(flags, description);
  option.description += ` (env: ${variableOf(option.attributeName())})`;
  return option;
}

const choice = (flags: string, description: string, values: readonly string[]): Option => new Option(flags, description).choices(values);

/** An option for the tenant's own records, not for those that are published. */
function own(flags: string, description: string): Option {
  return new Option(flags, description).conflicts('published');
}

function namespaced(command: Command): Command {
  return command.addOption(setting('--namespace <name>', 'a separate state for development and tests'));
}

function charged(command: Command): Command {
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

function toFile(command: Command, formats: readonly string[]): Command {
  return command
    .addOption(choice('--format <format>', 'format (default: from the name of the file, otherwise csv)', formats))
    .option('-o, --output <file>', 'file to write, compressed if its name ends in .gz (default: stdout)');
}

function number(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || Number.isNaN(value)) throw new InvalidArgumentError('Not a number.');
  return value;
}
