import { Argument } from 'commander';
import { ENTITY_STATES, EVENT_TYPES } from '../../index.js';
import { changes, FEEDS } from '../commands/changes.js';
import { entities, eraseEntity } from '../commands/entities.js';
import { exportEvents } from '../commands/export-events.js';
import { putEvents } from '../commands/put-events.js';
import { choice, type Declaring, namespaced, toFile } from './options.js';

const FEED =
  'nodes: your production nodes; search: those of every operator, as the search shows them; events; lines: those of an internet service provider';

/** Also the feed of nodes, which is read like that of events. */
export function declareEvents({ command, run, runOn }: Declaring): void {
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
}
