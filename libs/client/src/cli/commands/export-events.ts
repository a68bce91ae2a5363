import { type EventExportQuery } from '../../index.js';
import { type Context, type Flags, parameters } from '../shared/command.js';
import { save } from '../shared/save.js';
import { connect } from '../shared/settings.env.js';

const FILTERS = [
  'period',
  'period_end',
  'token',
  'entity_id',
  'event_type',
  'partner_id',
  'recorded_from',
  'recorded_until',
  'created_by',
  'modified_by',
] as const;

export async function exportEvents(flags: Flags, context: Context): Promise<void> {
  const { events } = connect(context, flags, 'eventsUrl');
  await save(flags, context, (options, format: EventExportQuery['format']) =>
    events.export({ format, ...parameters(flags, FILTERS) }, options),
  );
}
