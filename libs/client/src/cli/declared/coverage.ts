import { Option } from 'commander';
import { COLLECTIONS, FILE_FORMATS, OFFERS, TOKENS } from '../../index.js';
import { exportNodes } from '../commands/export-nodes.js';
import { importNodes } from '../commands/import-nodes.js';
import { merge } from '../commands/merge.js';
import { relations } from '../commands/relations.js';
import { search } from '../commands/search.js';
import { choice, type Declaring, number, own, toFile } from './options.js';

const STAGES = new Intl.ListFormat('en', { type: 'disjunction' }).format(TOKENS);
/** Flags that do not go with a search for an address. */
const NOT_AT_ADDRESS = ['searchRadius', 'limit', 'output', 'format', 'gzip'];
const OFFER = 'only nodes at which you may promise this today';
const CONNECTED = 'only nodes with at least one connected unit (true), or with none (false)';
const AVAILABLE_UNTIL = 'only nodes that can be ordered by this date, such as 2027-03-01';

export function declareCoverage({ command, run, runOn }: Declaring): void {
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
}
