import { useMemo } from 'preact/hooks';
import { formatNumber } from '../../../texts.js';
import { Translated } from '../../../ui/translated.js';
import { FileTable } from './file-table.js';
import type { Imported } from './files.js';
import { texts } from './files-texts.js';
import { linesInWords } from './lines-in-words.js';
import { type Choices, type Mapped, placeOfCell } from './table/mapped.js';
import type { Source } from './table/source.js';
import type { Table } from './table/table-file.js';

export type Fault = Imported['errors'][number];

/** The file that a result is about. */
export interface Origin {
  readonly source: Source;
  /** The file's own name of a field. */
  readonly columnOf: (field: string) => string;
  /** The rows of the file, if the portal can change them. */
  readonly table: (Mapped & { readonly read: Table }) | undefined;
  readonly onCorrect: (cells: Choices['cells']) => void;
}

export const isOfFeatures = ({ format }: Source): boolean => format === 'geojson';

/** More rows than this with the same fault are one row of the table. */
const MOST_ALONE = 10;

/** What is wrong with rows, or may be; the same fault of many rows is named once. */
export function FaultTable({ label, faults, source, columnOf, table, onCorrect }: Origin & { label: string; faults: readonly Fault[] }) {
  const t = texts();
  const groups = new Map<string, Fault[]>();
  for (const fault of faults) {
    const key = JSON.stringify([fault.column, fault.detail]);
    const group = groups.get(key);
    if (group) group.push(fault);
    else groups.set(key, [fault]);
  }
  const rows = useMemo(() => new Map(table?.rows.map((row) => [row.line, row.cells])), [table]);
  const cellOf = (fault: Fault, field = fault.column): string | undefined =>
    table && field && fault.line ? rows.get(fault.line)?.[table.indexOf(field)] : undefined;
  const shown = [...groups.values()].flatMap((group) => (group.length > MOST_ALONE ? [group] : group.map((fault) => [fault])));
  const headings = [isOfFeatures(source) ? t.feature : t.line, t.column, ...(table ? [t.value] : []), t.detail];
  return (
    <FileTable
      label={label}
      head={headings}
      rows={shown.map((group) => {
        const [{ line, feature, column, detail }] = group as [Fault, ...Fault[]];
        const fault = group[0]!;
        const isOne = group.length === 1;
        const value = cellOf(fault);
        const mayCorrect = isOne && value !== undefined && line !== undefined;
        return [
          isOne ? (
            <>
              {line ?? feature}
              {cellOf(fault, 'customer_reference') && <bdi class="fine">{cellOf(fault, 'customer_reference')}</bdi>}
            </>
          ) : (
            <>
              <strong>{t.times(formatNumber(group.length))}</strong>
              <span class="fine below">{linesInWords(group.map((one) => one.line ?? one.feature ?? 0))}</span>
            </>
          ),
          column && <bdi>{columnOf(column)}</bdi>,
          ...(table
            ? [
                mayCorrect ? (
                  <input
                    aria-label={t.correctHere(columnOf(column!), formatNumber(line))}
                    value={value}
                    onChange={({ currentTarget }) => onCorrect({ [placeOfCell(line, table.indexOf(column!))]: currentTarget.value })}
                  />
                ) : (
                  <bdi>{[...new Set(group.map((one) => cellOf(one)).filter(Boolean))].slice(0, 3).join(' · ')}</bdi>
                ),
              ]
            : []),
          <Translated text={detail} lang="en" />,
        ];
      })}
    />
  );
}
