import { type EventExportQuery, fileFormat } from '../../index.js';
import { type Context, type Flags, parameters } from '../shared/command.js';
import { save } from '../shared/save.js';
import { connect } from '../shared/settings.env.js';

const FILTERS = ['period', 'period_end', 'token', 'entity_id', 'modified_since'] as const;

export async function exportEvents({ output, ...flags }: Flags, context: Context): Promise<void> {
  // Not checked here: the service rejects a format that it cannot export.
  const format = (flags.format ?? fileFormat(output ?? '').format) as EventExportQuery['format'];
  const query = { format, ...parameters(flags, FILTERS) };
  const { events } = connect(flags, 'eventsUrl');
  await save(output, context, (onProgress) => events.export(query, { signal: context.signal, onProgress }));
}
