import { randomUUID } from 'node:crypto';
import {
  type BillingFile,
  type BillingRow,
  billingSheet,
  type Call,
  type ChargedStep,
  correctionRows,
  type DownloadOptions,
  monthWindow,
  type PeriodExportQuery,
  recordsOf,
  stepRows,
  type Total,
} from '../../index.js';
import { type Context, type Flags, parameters } from '../shared/command.js';
import { UsageError } from '../shared/exit-codes.js';
import { complain, printRecords } from '../shared/output.js';
import { save } from '../shared/save.js';
import { connect } from '../shared/settings.env.js';

/** The API's default time zone. */
const USUAL_ZONE = 'Europe/Vienna';
const COLUMNS = ['', 'entity_id', 'partner_id', 'from', 'to', 'article_codes', 'partner_reference'];
const TOTAL_COLUMNS = ['partner_id', 'article_code', 'entities', 'days', 'started', 'added', 'removed', 'ended'];
const CLOSING_COLUMNS = ['closing_id', 'from', 'to', 'partner_id', 'reference', 'recorded_until', 'previous_closing_id'];

/** Remembers what is invoiced for a month. */
export async function close({ month = '', idempotencyKey = randomUUID(), partner, ...flags }: Flags, context: Context): Promise<void> {
  const window = monthWindow(month);
  if (!window) throw new UsageError('--month must be a month such as 2026-10');
  context.leaves = () => `the month may have been closed; run the same command with --idempotency-key ${idempotencyKey} to make sure`;
  const { closings } = connect(context, flags, 'eventsUrl');
  const body = {
    ...window,
    ...parameters({ ...flags, partnerId: partner }, ['timezone', 'partner_id', 'recorded_until', 'reference', 'comment']),
  };
  const closing = await closings.create(body, { idempotencyKey, signal: context.signal });
  for (const warning of closing.warnings ?? []) complain(context, warning);
  await printRecords(context, [closing], flags, CLOSING_COLUMNS);
}

/** Writes the charges for a time window to a file. */
export function periods(flags: Flags, context: Context): Promise<void> {
  return toFile('steps', flags, context, (query, options) => connect(context, flags, 'eventsUrl').periods.export(query, options));
}

/** Prints the charges by ISP and article, or writes them to a file. */
export async function totals(flags: Flags, context: Context): Promise<void> {
  const { periods } = connect(context, flags, 'eventsUrl');
  if (isForFile(flags)) return toFile('totals', flags, context, (query, options) => periods.exportTotals(query, options));
  let recordedUntil: string | undefined;
  for await (const page of periods.totals({ ...searchOf(flags), _page_size: 2_000 }, { signal: context.signal }).pages()) {
    recordedUntil = page.recordedUntil;
    const rounded = page.items.map((total) => ({ ...total, days: total.days.toFixed(2) }));
    await printRecords(context, page.items, flags, TOTAL_COLUMNS, rounded);
  }
  complain(context, `as recorded until ${recordedUntil}`);
}

const isForFile = ({ output, format }: Flags): boolean => output !== undefined || format !== undefined;

async function toFile(
  file: BillingFile,
  flags: Flags,
  context: Context,
  start: (query: PeriodExportQuery, options: DownloadOptions) => Call<ReadableStream<Uint8Array>>,
): Promise<void> {
  const query = searchOf(flags);
  await save(flags, context, async (options, format: PeriodExportQuery['format'] | 'xlsx') => {
    const sheet = format === 'xlsx' ? await sheets(flags, context) : undefined;
    const { data, response } = await start({ ...query, format: format === 'xlsx' ? 'ndjson' : format }, options).withResponse();
    complain(context, `as recorded until ${response.headers.get('x-recorded-until')}`);
    if (!sheet) return data;
    return file === 'steps' ? sheet(file, recordsOf<ChargedStep>(data), stepRows) : sheet(file, recordsOf<Total>(data), (total) => [total]);
  });
}

/** Reads the time zone of the window and the names of ISPs. @returns what makes a spreadsheet of records */
async function sheets(flags: Flags, context: Context) {
  const { signal } = context;
  const { isps, closings } = connect(context, flags, 'eventsUrl');
  const { timezone = USUAL_ZONE } = flags.closing === undefined ? flags : await closings.read(flags.closing, { signal });
  const names = new Map<unknown, string>();
  for await (const { partner_id, name } of isps.list({ _page_size: 2_000 }, { signal })) names.set(partner_id, name);
  return <Item>(
    file: BillingFile,
    records: AsyncIterable<Item>,
    rowsOf: (record: Item, timezone: string) => readonly BillingRow[],
  ): Promise<ReadableStream<Uint8Array>> => {
    async function* rows() {
      for await (const record of records) for (const row of rowsOf(record, timezone)) yield { ...row, isp: names.get(row.partner_id) };
    }
    return billingSheet(file, rows(), { party: 'partner_id', timezone });
  };
}

/** Prints what must be credited (-) and charged (+) for a time window because of events recorded since an invoice, or writes it to a file. */
export async function corrections(flags: Flags, context: Context): Promise<void> {
  const { signal } = context;
  if (flags.recordedFrom === undefined && flags.closing === undefined) throw new UsageError('--recorded-from or --closing is missing');
  const query = { ...searchOf(flags), ...parameters(flags, ['recorded_from', 'until_closing']), _page_size: 2_000 };
  let recordedUntil: string | undefined;
  let found = 0;
  async function* pages() {
    for await (const page of connect(context, flags, 'eventsUrl').periods.corrections(query, { signal }).pages()) {
      recordedUntil = page.recordedUntil;
      found += page.items.length;
      for (const { entity_id } of page.items.filter(({ truncated }) => truncated))
        complain(context, `${entity_id} has more steps than are listed`);
      yield page.items;
    }
  }
  async function* corrected() {
    for await (const items of pages()) yield* items;
  }
  if (isForFile(flags))
    await save(flags, context, async (_, format: 'xlsx' | undefined) => {
      if (format !== 'xlsx') throw new UsageError('Corrections are written as a spreadsheet only: use --format xlsx');
      return (await sheets(flags, context))('corrections', corrected(), correctionRows);
    });
  else
    for await (const items of pages()) {
      const signed = items.flatMap(({ before, after }) => [
        ...before.map((step) => ({ '': '-', ...step })),
        ...after.map((step) => ({ '': '+', ...step })),
      ]);
      await printRecords(context, items, flags, COLUMNS, signed);
    }
  // An event takes a few seconds to count, so nothing found does not mean that there is nothing to correct.
  const later =
    flags.recordedUntil === undefined && flags.untilClosing === undefined ? '; events recorded after that are not settled yet' : '';
  complain(context, found > 0 ? `as recorded until ${recordedUntil}` : `no corrections, as recorded until ${recordedUntil}${later}`);
}

/** @throws UsageError if there is neither a whole window nor a closing */
function searchOf({ from, to, partner, ...flags }: Flags) {
  const names = ['timezone', 'partner_id', 'entity_id', 'article_code', 'recorded_until', 'closing'] as const;
  const others = parameters({ ...flags, partnerId: partner }, names);
  // The service rejects a window beside a closing.
  if (flags.closing !== undefined && from === undefined) return { ...others, to };
  if (from === undefined) throw new UsageError('--from or --closing is missing');
  const month = monthWindow(from);
  if (month === undefined && to === undefined) throw new UsageError('--to is missing; it can only be omitted for a month such as 2026-10');
  return { from: month?.from ?? from, to: to === undefined ? month!.to : (monthWindow(to)?.from ?? to), ...others };
}
