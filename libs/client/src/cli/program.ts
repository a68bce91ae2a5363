import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import { COLLECTIONS, ENTITY_STATES, FILE_FORMATS, TOKENS } from '../index.js';
import { type CommonFlags, type Context } from './shared/command.js';
import { entities } from './commands/entities.js';
import { exportEvents } from './commands/export-events.js';
import { type ExportFlags, exportNodes } from './commands/export-nodes.js';
import { importNodes } from './commands/import-nodes.js';
import { merge } from './commands/merge.js';
import { putEvents } from './commands/put-events.js';
import { search } from './commands/search.js';
import { VARIABLES } from './shared/settings.env.js';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };

const EPILOGUE = `
Environment, besides the variables above:
  FIBRE_CLIENT_SECRET  secret of the client
  FIBRE_ACCESS_TOKEN   an access token, instead of issuer, client and secret

Exit codes:
  0    done
  1    a row, an event, the request or the client was refused
  2    the command line, a setting or a file is wrong
  3    no answer, or the service cannot do it now: try again later
  70   a defect of this command
  130  interrupted (Ctrl-C), 143 by SIGTERM`;

const STAGES = new Intl.ListFormat('en', { type: 'disjunction' }).format(TOKENS);

export function program(context: Context): Command {
  const fibre = new Command('fibre')
    .description('Coverage and lifecycle events of open access fibre networks, from the command line.')
    .version(version)
    .option('--json', 'one JSON document per line instead of a table')
    .addOption(setting('coverageUrl', '--coverage-url <url>', 'address of the coverage API'))
    .addOption(setting('eventsUrl', '--events-url <url>', 'address of the event API'))
    .addOption(setting('issuer', '--issuer <url>', 'OAuth 2.0 issuer of the access tokens'))
    .addOption(setting('clientId', '--client-id <id>', 'client at the issuer'))
    .addOption(setting('scope', '--scope <scopes>', 'scopes to ask for'))
    .addOption(setting('audience', '--audience <audience>', 'audience to ask for'))
    .addHelpText('after', EPILOGUE)
    .configureHelp({ showGlobalOptions: true })
    .exitOverride();

  command('import', 'create and update coverage access nodes from a file')
    .argument('<file>', 'file to read, - for stdin')
    .addOption(new Option('--format <format>', 'what the file is; told by its name otherwise').choices(FILE_FORMATS))
    .option('--gzip', 'the file is compressed; told by its name otherwise')
    .addOption(new Option('--target <collection>', 'where the nodes go (default: nodes)').choices(COLLECTIONS))
    .addOption(new Option('--mode <mode>', 'strict keeps all rows or none, lax the good ones (default: strict)').choices(['strict', 'lax']))
    .option('--dry-run', 'do everything and keep nothing')
    .option('--relation-id <uuid>', 'relation of all rows')
    .option('--token <token>', `token of all rows: ${STAGES}`)
    .option('--idempotency-key <key>', 'the same key and file again get the first answer (default: a new one)')
    .action(async (file: string, _flags, self: Command) => importNodes(file, self.optsWithGlobals(), context));

  toFile(command('export', 'write coverage access nodes to a file'), FILE_FORMATS)
    .addOption(new Option('--target <collection>', 'which collection (default: nodes)').choices(COLLECTIONS))
    .option('--relation-id <uuid>', 'only of this relation')
    .option('--token <token>', `only these: ${STAGES}`)
    .option('--technology <technology>', 'only these')
    .option('--status <status>', 'only these')
    .option('--customer-reference <text>', 'only this one')
    .option('--modified-since <time>', 'only what was created or changed since: 2026-02-01T00:00:00+01:00')
    .action(async (_flags, self: Command) => exportNodes(self.optsWithGlobals<ExportFlags>(), context));

  command('search', 'production nodes around a coordinate, nearest first')
    .argument('<center>', 'latitude and longitude: "48.2108, 16.3575"; after -- when it begins with a minus')
    .option('--search-radius <metres>', 'how far (default: 100)', number)
    .option('--limit <count>', 'how many, at most 10 (default: 5)', number)
    .option('--token <token>', `only these: ${STAGES}`)
    .option('--technology <technology>', 'only these')
    .option('--status <status>', 'only these')
    .action(async (center: string, _flags, self: Command) => search(center, self.optsWithGlobals<CommonFlags>(), context));

  command('merge', 'take all pre-production nodes of a relation into production')
    .argument('<relation_id>', 'the relation')
    .action(async (relationId: string, _flags, self: Command) => merge(relationId, self.optsWithGlobals<CommonFlags>(), context));

  const events = command('events', 'lifecycle events of billable entities');
  namespaced(events.command('put').description('record events, each once however often it is sent'))
    .argument('<file>', 'an event, an array of events, or one event per line, as JSON; - for stdin')
    .action(async (file: string, _flags, self: Command) => putEvents(file, self.optsWithGlobals<CommonFlags>(), context));
  toFile(namespaced(events.command('export').description('write events to a file')), ['csv', 'ndjson'])
    .option('--period <date>', 'only of this day: 2026-02-01')
    .option('--period-end <date>', 'only of the days from the period to this one')
    .option('--token <token>', 'only these: fresh, untouched or completed')
    .option('--entity-id <uuid>', 'only of this entity')
    .option('--modified-since <time>', 'only what was recorded or overwritten since: 2026-02-01T00:00:00+01:00')
    .action(async (_flags, self: Command) => exportEvents(self.optsWithGlobals<ExportFlags>(), context));

  namespaced(command('entities', 'billable entities and their states, or one with its periods'))
    .argument('[entity_id]', 'the one')
    .addOption(new Option('--state <state>', 'only these').choices(ENTITY_STATES))
    .option('--partner-id <uuid>', 'only with a running subscription of this partner')
    .option('--article-code <code>', 'only with this one running')
    .option('--at <time>', 'states as of then: 2026-02-01T00:00:00+01:00')
    .action(async (entityId: string | undefined, _flags, self: Command) =>
      entities(entityId, self.optsWithGlobals<CommonFlags>(), context),
    );

  return fibre;

  function command(name: string, description: string): Command {
    return fibre.command(name).description(description);
  }
}

function setting(name: keyof typeof VARIABLES, flags: string, description: string): Option {
  return new Option(flags, description).env(VARIABLES[name]);
}

function namespaced(command: Command): Command {
  return command.addOption(setting('namespace', '--namespace <name>', 'a state of its own, for development and tests'));
}

function toFile(command: Command, formats: readonly string[]): Command {
  return command
    .addOption(new Option('--format <format>', 'told by the name of the file, else csv').choices(formats))
    .option('-o, --output <file>', 'file to write, compressed if its name ends in .gz (default: stdout)');
}

function number(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || Number.isNaN(value)) throw new InvalidArgumentError('Not a number.');
  return value;
}
