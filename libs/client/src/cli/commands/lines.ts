import { Temporal } from 'temporal-polyfill';
import { billingSheet, type Line, type LineExportQuery, lineRow, recordsOf } from '../../index.js';
import { type Context, type Flags, parameters } from '../shared/command.js';
import { complain, printRecords } from '../shared/output.js';
import { save } from '../shared/save.js';
import { connect } from '../shared/settings.env.js';

const COLUMNS = ['tenant', 'entity_id', 'since', 'article_codes', 'option82', 'partner_reference'];
const FILTERS = ['at', 'tenant', 'entity_id', 'partner_id', 'article_code', 'option82', 'partner_reference'] as const;

/** Prints the lines of an internet service provider at an instant, or writes them to a file. */
export async function lines(flags: Flags, context: Context): Promise<void> {
  const { charges } = connect(context, flags, 'eventsUrl');
  const query = parameters(flags, FILTERS);
  const tell = (at: string | null | undefined): void => complain(context, `as of ${at}`);
  if (flags.output !== undefined || flags.format !== undefined)
    return save(flags, context, async (options, format: LineExportQuery['format'] | 'xlsx') => {
      const exported = charges.exportLines({ ...query, format: format === 'xlsx' ? 'ndjson' : format }, options);
      const { data, response } = await exported.withResponse();
      tell(response.headers.get('x-lines-at'));
      return format === 'xlsx' ? billingSheet('lines', rowsOf(data), { party: 'tenant', timezone: Temporal.Now.timeZoneId() }) : data;
    });
  let instant: string | undefined;
  for await (const { items, at } of charges.lines({ ...query, _page_size: 2_000 }, { signal: context.signal }).pages()) {
    instant = at;
    if (!(await printRecords(context, items, flags, COLUMNS))) return;
  }
  tell(instant);
}

async function* rowsOf(data: ReadableStream<Uint8Array>) {
  for await (const line of recordsOf<Line>(data)) yield lineRow(line);
}
