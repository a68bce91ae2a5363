import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { formatNumber } from '../../../texts.js';
import type { Imported } from './files.js';
import { FileTable } from './file-table.js';
import { texts } from './files-texts.js';
import type { Source } from './source.js';
import { isChangeable, refusedRows } from './table-file.js';
import { Said } from '../../../ui/said.js';
import { Facts } from '../../../ui/page.js';
import { csvOf } from '../../../ui/csv.js';
import { saveFile } from '../../../ui/transfer.js';
import { nameOf } from '../coverage-texts.js';
import { Button } from '../../../ui/button.js';

const COUNTS = ['rows', 'created', 'updated', 'unchanged', 'refused', 'deleted'] as const;

type Fault = Imported['errors'][number];

interface Origin {
  readonly source: Source;
  /** The file's own name of a field. */
  readonly columnOf: (field: string) => string;
}

/** What happened to the rows of a file. */
export function ImportReport(props: Origin & { result: Imported; wasChecked: boolean; children?: ComponentChildren }) {
  const { result, wasChecked, children, ...origin } = props;
  const t = texts();
  const { deleted_nodes, errors, isRefused } = result;
  return (
    <Report>
      <h3>{t.result}</h3>
      <div class={isRefused ? 'failure' : 'notice success'} role={isRefused ? 'alert' : 'status'}>
        <p>
          <strong>{isRefused ? t.nothingImported : wasChecked ? t.checked : t.imported}</strong>
        </p>
        <Facts class="facts counts" facts={COUNTS.map((name) => [t[name], formatNumber(result[name])])} />
      </div>
      {errors.length > 0 && <Faults {...origin} faults={errors} refused={result.refused} />}
      {deleted_nodes && <Deletions nodes={deleted_nodes} deleted={result.deleted} />}
      {children}
    </Report>
  );
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

function Faults({ refused, source, columnOf, ...props }: Origin & { faults: readonly Fault[]; refused: number }) {
  const faults = props.faults.map((fault) => ({ ...fault, column: fault.column && columnOf(fault.column) }));
  const t = texts();
  /** Saves the rejected rows themselves if the file can be read again as a table, otherwise a list of the faults. */
  const save = async (): Promise<void> => {
    const rows = isChangeable(source) ? refusedRows(source, faults) : faultsFile(faults);
    await saveFile(`${source.file.name}.refused.csv`, await Promise.resolve(rows).catch(() => faultsFile(faults)));
  };
  return (
    <>
      <h3>{t.faults}</h3>
      {refused > faults.length && <p class="fine">{t.faultsLimited(formatNumber(faults.length))}</p>}
      <FileTable
        label={t.faults}
        head={[faults[0]?.feature === undefined ? t.line : t.feature, t.column, t.detail]}
        rows={faults.map(({ line, feature, column, detail }) => [
          line ?? feature,
          column && <bdi>{column}</bdi>,
          <Said text={detail} lang="en" />,
        ])}
      />
      <div class="actions">
        <Button label={t.saveFaults} look="small" onClick={() => void save()} />
      </div>
    </>
  );
}

const faultsFile = (faults: readonly Fault[]): Blob =>
  csvOf(faults, [['place', ({ line, feature }) => line ?? feature], 'column', 'detail']);
