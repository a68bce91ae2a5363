import { type Cell, type SheetColumn, spreadsheet } from '../files/spreadsheet.js';
import { type Line } from './charges.js';
import { daysBetween, rounded } from './days.js';
import { type ChargedStep, type Correction } from './periods.js';

/** Whom a file names in each row: the ISP that an operator charges, or the operator that charges an ISP. */
export type Party = 'partner_id' | 'tenant';
export type BillingFile = 'steps' | 'totals' | 'corrections' | 'lines';

interface BillingColumn {
  /** In CSV files. */
  readonly name: string;
  /** In sheets. */
  readonly en: string;
  readonly de: string;
  readonly kind: SheetColumn<never>['kind'];
  readonly in: readonly BillingFile[];
  /** Only in the files for this side. */
  readonly party?: Party;
}

const CHARGED = ['steps', 'totals', 'corrections'] as const;
const OF_STEPS = ['steps', 'corrections'] as const;

/** The columns of all files for billing, in their order. */
const COLUMNS = [
  { name: 'entity_id', en: 'Entity', de: 'Anschluss', kind: 'id', in: [...OF_STEPS, 'lines'] },
  { name: 'tenant', en: 'Operator', de: 'Netzbetreiber', kind: 'text', in: [...CHARGED, 'lines'], party: 'tenant' },
  { name: 'partner_id', en: 'ISP (partner_id)', de: 'ISP (partner_id)', kind: 'id', in: CHARGED, party: 'partner_id' },
  { name: 'isp', en: 'ISP', de: 'ISP', kind: 'text', in: CHARGED, party: 'partner_id' },
  { name: 'partner_reference', en: "ISP's reference", de: 'Referenz des ISP', kind: 'text', in: [...OF_STEPS, 'lines'] },
  { name: 'article_code', en: 'Article', de: 'Artikel', kind: 'text', in: CHARGED },
  { name: 'from', en: 'From', de: 'Von', kind: 'time', in: OF_STEPS },
  { name: 'to', en: 'To (exclusive)', de: 'Bis (ausschließlich)', kind: 'time', in: OF_STEPS },
  { name: 'option82', en: 'Option 82', de: 'Option 82', kind: 'text', in: ['steps', 'lines'] },
  { name: 'since', en: 'Since', de: 'Seit', kind: 'time', in: ['lines'] },
  { name: 'articles', en: 'Articles', de: 'Artikel', kind: 'text', in: ['lines'] },
  { name: 'begins', en: 'Begun by event', de: 'Begonnen durch Ereignis', kind: 'id', in: ['steps'] },
  { name: 'begins_by', en: 'Begun by', de: 'Begonnen durch', kind: 'text', in: OF_STEPS },
  { name: 'ends', en: 'Ended by event', de: 'Beendet durch Ereignis', kind: 'id', in: ['steps'] },
  { name: 'ends_by', en: 'Ended by', de: 'Beendet durch', kind: 'text', in: OF_STEPS },
  { name: 'runs_on', en: 'Runs on', de: 'Läuft weiter', kind: 'number', in: ['steps'] },
  { name: 'entities', en: 'Entities', de: 'Anschlüsse', kind: 'number', in: ['totals'] },
  { name: 'days', en: 'Days', de: 'Tage', kind: 'days', in: ['totals'] },
  { name: 'started', en: 'Started', de: 'Begonnen', kind: 'number', in: ['totals'] },
  { name: 'added', en: 'Added', de: 'Dazugekommen', kind: 'number', in: ['totals'] },
  { name: 'removed', en: 'Removed', de: 'Weggefallen', kind: 'number', in: ['totals'] },
  { name: 'ended', en: 'Ended', de: 'Beendet', kind: 'number', in: ['totals'] },
  { name: 'credit_days', en: 'Days to credit', de: 'Gutschrift (Tage)', kind: 'number', in: ['corrections'] },
  { name: 'charge_days', en: 'Days to charge', de: 'Belastung (Tage)', kind: 'number', in: ['corrections'] },
] as const satisfies readonly BillingColumn[];
type ColumnName = (typeof COLUMNS)[number]['name'];

const SHEETS = {
  steps: { en: 'Line items', de: 'Einzelposten' },
  totals: { en: 'Totals', de: 'Summen' },
  corrections: { en: 'Corrections', de: 'Korrekturen' },
  lines: { en: 'Lines', de: 'Leitungen' },
} as const satisfies Record<BillingFile, object>;

/** A row of a file for billing: a total as it is, a line, or a step or a correction with one article. */
export type BillingRow = { readonly [name in ColumnName]?: Cell };

/** A step as a row for each of its articles. */
export const stepRows = (step: ChargedStep & { tenant?: string }) => step.article_codes.map((article_code) => ({ ...step, article_code }));

/** A line as a row. */
export const lineRow = (line: Line): BillingRow => ({ ...line, articles: line.article_codes.join(', ') });

/** What must be credited and charged for an entity, as a row for each article of a step. Its `days` are not rounded yet. */
export function correctionRows({ before, after, tenant }: Correction & { tenant?: string }, timezone: string) {
  const side = (name: 'credit' | 'charge', steps: readonly ChargedStep[]) =>
    steps.flatMap(stepRows).map((row) => {
      const days = daysBetween(row.from, row.to, timezone);
      const daysOf = (one: typeof name): number | undefined => (one === name ? rounded(days) : undefined);
      return { ...row, tenant, side: name, days, credit_days: daysOf('credit'), charge_days: daysOf('charge') };
    });
  return [...side('credit', before), ...side('charge', after)];
}

/** The names of a file's columns. */
export const billingColumns = (file: BillingFile, party: Party): ColumnName[] => columnsOf(file, party).map(({ name }) => name);

/**
 * A file for billing as a spreadsheet (.xlsx); see {@link spreadsheet}.
 *
 * @param timezone the time zone in which times are shown, such as that of the window
 */
export const billingSheet = (
  file: BillingFile,
  rows: AsyncIterable<BillingRow> | Iterable<BillingRow>,
  { party, timezone, language = 'en' }: { party: Party; timezone: string; language?: 'en' | 'de' },
): Promise<ReadableStream<Uint8Array>> => {
  const columns = columnsOf(file, party).map(({ name, kind, [language]: heading }) => ({
    heading,
    kind,
    cell: (row: BillingRow) => row[name],
  }));
  return spreadsheet(SHEETS[file][language], columns, rows, timezone);
};

const columnsOf = (file: BillingFile, party: Party) =>
  COLUMNS.filter((column) => (column.in as readonly BillingFile[]).includes(file) && (!('party' in column) || column.party === party));
