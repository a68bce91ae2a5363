import { billingColumns, type BillingFile, type BillingRow, billingSheet } from '@fibre/client';
import { language } from '../../texts.js';
import { csvOf } from '../../ui/csv.js';
import type { Content } from '../../ui/transfer.js';
import type { Ledger } from './ledger.js';
import { partyName } from './parts.js';

/** The formats of every file for billing. */
export const FORMATS = ['csv', 'xlsx'] as const;
export type FileFormat = (typeof FORMATS)[number];

/**
 * A file for billing. A spreadsheet is made while the records arrive, with headings in the language of the page.
 *
 * @param rowsOf the rows of a record
 * @param timezone the time zone in which a spreadsheet shows times
 */
export async function billingFile<Item>(
  format: FileFormat,
  file: BillingFile,
  ledger: Ledger,
  records: AsyncIterable<Item> | Iterable<Item>,
  rowsOf: (record: Item) => readonly BillingRow[],
  { timezone }: { timezone: string },
): Promise<Content> {
  async function* rows() {
    for await (const record of records)
      for (const row of rowsOf(record)) yield ledger.isps ? { ...row, isp: partyName(ledger, row.partner_id as string) } : row;
  }
  const { party } = ledger;
  if (format === 'xlsx') return billingSheet(file, rows(), { party, timezone, language: language.value });
  const items: BillingRow[] = [];
  for await (const row of rows()) items.push(row);
  return csvOf(items, billingColumns(file, party));
}
