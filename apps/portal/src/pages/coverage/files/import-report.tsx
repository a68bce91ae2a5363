import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { formatNumber } from '../../../texts.js';
import { type Imported, presentNodes } from './files.js';
import { FileTable } from './file-table.js';
import { texts } from './files-texts.js';
import { isInMemory, type Source } from './source.js';
import { type Choices, type Mapped, placeOfCell } from './mapped.js';
import { linesInWords } from './lines-in-words.js';
import { isTable, refusedRows, type Table } from './table-file.js';
import { Refusal } from '../../../api/refusal.js';
import { useAction } from '../../../hooks/use-action.js';
import { Failure } from '../../../ui/failure.js';
import { Said } from '../../../ui/said.js';
import { Facts } from '../../../ui/page.js';
import { csvOf } from '../../../ui/csv.js';
import { saveFile } from '../../../ui/transfer.js';
import { nameOf } from '../coverage-texts.js';
import { Button } from '../../../ui/button.js';

const COUNTS = ['rows', 'created', 'updated', 'unchanged', 'refused', 'deleted'] as const;
/** How many warnings a response lists. */
const MOST_LISTED = 1_000;
/** The names of what has not happened yet. */
const NOT_DONE = { created: 'toCreate', updated: 'toUpdate', deleted: 'toDelete' } as const;

type Fault = Imported['errors'][number];

interface Origin {
  readonly source: Source;
  /** The file's own name of a field. */
  readonly columnOf: (field: string) => string;
  /** The rows of the file, if the portal can change them. */
  readonly table: (Mapped & { readonly read: Table }) | undefined;
  readonly onCorrect: (cells: Choices['cells']) => void;
}

/** What happened to the rows of a file. */
export function ImportReport(props: Origin & { result: Imported; wasChecked: boolean; children?: ComponentChildren }) {
  const { result, wasChecked, children, ...origin } = props;
  const t = texts();
  const { deleted_nodes, warnings, refused, refused_lines, stopped, isRefused, isGuarded } = result;
  const names =
    isRefused || wasChecked ? { ...t, ...Object.fromEntries(Object.entries(NOT_DONE).map(([name, later]) => [name, t[later]])) } : t;
  const title = isGuarded ? tooManyIn(result) : isRefused ? t.nothingImported : wasChecked ? t.checked : t.imported;
  const last = refused_lines.at(-1)?.[1] ?? 0;
  return (
    <Report>
      <h3>{t.result}</h3>
      <div class={isRefused ? 'failure' : 'notice success'} role={isRefused ? 'alert' : 'status'}>
        <p>
          <strong>{title}</strong>
        </p>
        {isGuarded && (
          <p>
            {result.deleted === presentNodes(result) && t.noneNamed} {t.isComplete}
          </p>
        )}
        <Facts class="facts counts" facts={COUNTS.map((name) => [names[name], formatNumber(result[name])])} />
        {stopped && <p>{t.stopped(`${isOfFeatures(origin.source) ? t.feature : t.line} ${formatNumber(last)}`)}</p>}
      </div>
      {refused > 0 && <Faults {...origin} result={result} />}
      {warnings && <Warnings {...origin} warnings={warnings} />}
      {deleted_nodes && <Deletions nodes={deleted_nodes} deleted={result.deleted} />}
      {children}
    </Report>
  );
}

const isOfFeatures = ({ format }: Source): boolean => format === 'geojson';

/** How many of the relation's nodes an import would delete. */
function tooManyIn(result: Imported): string {
  const present = presentNodes(result);
  const share = formatNumber(result.deleted / present, { style: 'percent', maximumSignificantDigits: 2 });
  return texts().tooMany(formatNumber(result.deleted), formatNumber(present), share);
}

/** A result below a form, often out of sight, which therefore takes the focus. */
export function Report({ children }: { children: ComponentChildren }) {
  const report = useRef<HTMLDivElement>(null);
  useEffect(() => {
    report.current?.focus();
    report.current?.scrollIntoView();
  }, []);
  return (
    <div class="coverage-panel import-report" tabIndex={-1} ref={report}>
      {children}
    </div>
  );
}

/** The nodes that an import deletes, by name. */
function Deletions({ nodes, deleted }: { nodes: NonNullable<Imported['deleted_nodes']>; deleted: number }) {
  const t = texts();
  return (
    <>
      <h3>{t.absent}</h3>
      {deleted > nodes.length && <p class="fine">{t.faultsLimited(formatNumber(nodes.length))}</p>}
      <FileTable
        label={t.absent}
        head={[nameOf('customer_reference'), 'node_id']}
        rows={nodes.map(({ customer_reference, node_id }) => [
          customer_reference && <bdi>{customer_reference}</bdi>,
          <code>{node_id}</code>,
        ])}
      />
    </>
  );
}

/** The rows of a check that a person should look at. */
function Warnings({ warnings, ...origin }: Origin & { warnings: NonNullable<Imported['warnings']> }) {
  const t = texts();
  return (
    <>
      <h3>{t.warnings}</h3>
      {warnings.length === MOST_LISTED && <p class="fine">{t.faultsLimited(formatNumber(MOST_LISTED))}</p>}
      <FaultTable {...origin} label={t.warnings} faults={warnings} />
    </>
  );
}

/** More rows than this with the same fault are one row of the table. */
const MOST_ALONE = 10;

/** What is wrong with rows, or may be; the same fault of many rows is named once. */
function FaultTable({ label, faults, source, columnOf, table, onCorrect }: Origin & { label: string; faults: readonly Fault[] }) {
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
          <Said text={detail} lang="en" />,
        ];
      })}
    />
  );
}

function Faults({ result, ...origin }: Origin & { result: Imported }) {
  const t = texts();
  const { source, columnOf, table } = origin;
  const { refused, refused_lines, stopped, errors } = result;
  const faults = errors.map((fault) => ({ ...fault, column: fault.column && columnOf(fault.column) }));
  const action = useAction();
  const { name } = source.file;
  const found = table && { table: table.read, heading: table.heading.row };
  /** Saves the rejected rows themselves, every one of them or none. */
  const saveRows = () =>
    action.run(async () => {
      const { content, count } = await refusedRows(source, refused_lines as [number, number][], faults, t.unlisted, found);
      if (count !== refused) throw new Refusal(422, { title: t.notFoundAgain(formatNumber(count), formatNumber(refused)) });
      await saveFile(`${source.isSheet ? name.replace(/\.xls[xm]?$/i, '') : name}.refused.${source.format}`, content);
    });
  const listed = new Set(errors.map(({ line, feature }) => line ?? feature)).size;
  const hasReasons = isTable(source) && isInMemory(source.file);
  return (
    <>
      <h3>{t.faults}</h3>
      {refused > listed && <p class="fine">{t.faultsLimited(formatNumber(faults.length))}</p>}
      <FaultTable {...origin} label={t.faults} faults={errors} />
      {table && <p class="fine">{t.correctHint}</p>}
      {stopped && <p>{t.notAll}</p>}
      {!isInMemory(source.file) && <p>{t.tooLarge}</p>}
      {action.error !== undefined && <Failure error={action.error} takesFocus />}
      <div class="actions">
        {isInMemory(source.file) && (
          <Button label={stopped ? t.saveSomeFaults : t.saveFaults} look="small" isBusy={action.isBusy} onClick={() => void saveRows()} />
        )}
        {!hasReasons && (
          <Button label={t.saveReasons} look="small" onClick={() => void saveFile(`${name}.reasons.csv`, reasonsFile(faults))} />
        )}
      </div>
    </>
  );
}

const reasonsFile = (faults: readonly Fault[]): Blob =>
  csvOf(faults, [['place', ({ line, feature }) => line ?? feature], 'column', 'detail']);
