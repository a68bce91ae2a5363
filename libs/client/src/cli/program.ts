import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { declareBilling } from './declared/billing.js';
import { declareCoverage } from './declared/coverage.js';
import { declareEvents } from './declared/events.js';
import { declaring, setting } from './declared/options.js';
import { type Context } from './shared/command.js';

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

export function program(context: Context): Command {
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

  const commands = declaring(fibre, context);
  declareCoverage(commands);
  declareEvents(commands);
  declareBilling(commands);
  return fibre;
}
