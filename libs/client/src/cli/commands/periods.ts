import { fileFormat, monthWindow, type PeriodExportQuery } from '../../index.js';
import { type CommonFlags, type Context, parameters } from '../shared/command.js';
import { UsageError } from '../shared/exit-codes.js';
import { complain, print, printJson, table } from '../shared/output.js';
import { save } from '../shared/save.js';
import { connect } from '../shared/settings.env.js';
import { type ExportFlags } from './export-nodes.js';

export interface PeriodFlags extends CommonFlags {
  from: string;
  to?: string;
}
export interface CorrectionFlags extends PeriodFlags {
  recordedFrom: string;
  recordedUntil?: string;
}

const COLUMNS = ['', 'entity_id', 'partner_id', 'from', 'to', 'article_codes', 'partner_reference'];

/** Writes the charges for a time window to a file. */
export async function periods({ output, ...flags }: PeriodFlags & ExportFlags, context: Context): Promise<void> {
  const format = (flags.format ?? fileFormat(output ?? '').format) as PeriodExportQuery['format'];
  const query = { format, ...searchOf(flags) };
  const { periods } = connect(flags, 'eventsUrl');
  await save(output, context, async (onProgress) => {
    const { data, response } = await periods.export(query, { signal: context.signal, onProgress }).withResponse();
    complain(`as recorded until ${response.headers.get('x-recorded-until')}`);
    return data;
  });
}

/** Prints what must be credited (-) and charged (+) for a time window because of events recorded since an invoice. */
export async function corrections(flags: CorrectionFlags, { signal }: Context): Promise<void> {
  const query = { ...searchOf(flags), recorded_from: flags.recordedFrom, _page_size: 2_000 };
  let recordedUntil: string | undefined;
  let found = 0;
  for await (const page of connect(flags, 'eventsUrl').periods.corrections(query, { signal }).pages()) {
    recordedUntil = page.recordedUntil;
    found += page.items.length;
    if (page.items.length === 0) continue;
    const signed = page.items.flatMap(({ before, after }) => [
      ...before.map((step) => ({ '': '-', ...step })),
      ...after.map((step) => ({ '': '+', ...step })),
    ]);
    for (const { entity_id } of page.items.filter(({ truncated }) => truncated)) complain(`${entity_id} has more steps than are listed`);
    if (!flags.json) await print(table(signed, COLUMNS));
    else for (const correction of page.items) await printJson(correction);
  }
  // An event takes a few seconds to count, so nothing found does not mean that there is nothing to correct.
  const later = flags.recordedUntil === undefined ? '; events recorded after that are not settled yet' : '';
  complain(found > 0 ? `as recorded until ${recordedUntil}` : `no corrections, as recorded until ${recordedUntil}${later}`);
}

/** @throws UsageError if the end of the window is missing and `from` is not a month */
function searchOf({ from, to, ...flags }: PeriodFlags) {
  const month = monthWindow(from);
  if (month === undefined && to === undefined) throw new UsageError('--to is missing; it can only be omitted for a month such as 2026-10');
  const window = { from: month?.from ?? from, to: to === undefined ? month!.to : (monthWindow(to)?.from ?? to) };
  const { partner, ...others } = parameters(flags, ['partner', 'timezone', 'entity_id', 'article_code', 'recorded_until']);
  return { ...window, ...others, ...(partner !== undefined && { partner_id: partner as string }) };
}
