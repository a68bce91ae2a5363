import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { formatNumber } from '../../../texts.js';
import { type Imported, presentNodes } from './files.js';
import { type Fault, FaultTable, isOfFeatures, type Origin } from './fault-table.js';
import { FileTable } from './file-table.js';
import { texts } from './files-texts.js';
import { isInMemory } from './table/source.js';
import { isTable, refusedRows } from './table/table-file.js';
import { Refusal } from '../../../refusal.js';
import { useAction } from '../../../hooks/use-action.js';
import { Failure } from '../../../ui/failure.js';
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
