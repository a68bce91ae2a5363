import { lines } from '../commands/lines.js';
import { close, corrections, periods, totals } from '../commands/periods.js';
import { charged, choice, type Declaring, namespaced, toFile } from './options.js';

export function declareBilling({ command, run }: Declaring): void {
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
}
