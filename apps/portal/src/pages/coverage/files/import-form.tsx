import { type Collection, FILE_FORMATS, fileFormat, type FileFormat, IMPORT_COLUMNS, TOKENS } from '@fibre/client';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { announce } from '../../../ui/announcements.js';
import { useApp, useScope } from '../../../session/context.js';
import { formatNumber } from '../../../texts.js';
import { Failure } from '../../../ui/failure.js';
import { SelectField } from '../../../ui/form/select-field.js';
import { texts as coverageTexts, tokenName } from '../coverage-texts.js';
import { RelationChoice, type Relations } from '../relation-choice.js';
import { columnsOf } from './columns.js';
import { FileChanged, type Imported, importFile } from './files.js';
import { texts } from './files-texts.js';
import { ImportReport } from './import-report.js';
import { useTransfer } from './use-transfer.js';

interface Done {
  readonly result: Imported;
  readonly wasChecked: boolean;
}

/** A file on its way in: what it is, what holds for all of its rows, and what became of them. */
export function ImportForm(props: {
  target: Collection;
  /** That the page is narrowed to, so most likely that of the file. */
  relation_id: string | undefined;
  relations: Relations;
  file: File | undefined;
  onFile: (file: File | undefined) => void;
  onImported: () => void;
}) {
  const t = texts();
  const { file } = props;
  const mayWrite = useScope('coverage:write');
  const id = useId();
  return (
    <section class="section">
      <h2>{t.import}</h2>
      <div class="field">
        <label for={id}>{file ? t.another : t.file}</label>
        <p class="fine" id={`${id}-hint`}>
          {t.importHint}
        </p>
        <input
          id={id}
          type="file"
          disabled={!mayWrite}
          aria-describedby={`${id}-hint`}
          // Otherwise the browser doesn't tell when the same file is chosen again.
          onClick={({ currentTarget }) => (currentTarget.value = '')}
          onChange={({ currentTarget }) => currentTarget.files?.[0] && props.onFile(currentTarget.files[0])}
        />
      </div>
      {file && mayWrite && <ChosenFile {...props} file={file} />}
    </section>
  );
}

function ChosenFile({ target, relations, file, onImported, ...given }: Parameters<typeof ImportForm>[0] & { file: File }) {
  const t = texts();
  const { fibre } = useApp();
  const recognised = fileFormat(file.name);
  const [chosenFormat, setFormat] = useState<FileFormat>();
  const format = chosenFormat ?? recognised.format;
  const columns = useColumns(file, format, recognised.gzip);
  const [chosenRelation, setRelation] = useState(given.relation_id);
  const isInFile = (column: string): boolean => columns.includes(column);
  const relation_id = isInFile('relation_id') ? undefined : chosenRelation;
  const [token, setToken] = useState('');
  const [isLax, setLax] = useState(false);
  const [percent, setPercent] = useState(0);
  const [done, setDone] = useState<Done>();
  const [wasAsked, setAsked] = useState(false);
  const transfer = useTransfer();
  const settings = JSON.stringify([format, relation_id, token, isLax]);
  // A second click, or a repetition after the network was away, is the same import.
  const key = useRef({ file, settings, value: crypto.randomUUID() });
  if (key.current.file !== file || key.current.settings !== settings) key.current = { file, settings, value: crypto.randomUUID() };
  // What was chosen for one file holds for the next one, which is often the same one corrected; its result does not.
  useEffect(() => {
    setFormat(undefined);
    setDone(undefined);
    setAsked(false);
    transfer.forget();
  }, [file]);
  const form = useRef<HTMLDivElement>(null);
  const isMissing = (column: string, value: string | undefined): boolean => columns.length > 0 && !isInFile(column) && !value;
  const missing = (column: string, value: string | undefined) =>
    wasAsked && isMissing(column, value) ? { text: t.columnMissing } : undefined;
  const noneLabel = columns.length > 0 ? t.choose : t.inTheFile;

  const send = (isCheck: boolean): void => {
    if (!format) return;
    setAsked(true);
    if (isMissing('relation_id', relation_id) || isMissing('token', token)) {
      // After the next rendering, which marks the fields.
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return;
    }
    setPercent(0);
    setDone(undefined);
    void transfer.run(async (signal) => {
      const query = {
        target,
        relation_id,
        token: isInFile('token') ? undefined : token || undefined,
        mode: isLax ? 'lax' : 'strict',
        dry_run: String(isCheck),
      } as object;
      const onProgress = ({ bytes }: { bytes: number }): void => setPercent(Math.floor((bytes / Math.max(1, file.size)) * 100));
      const result = await importFile(fibre, { file, format, gzip: recognised.gzip, query, key: key.current.value }, onProgress, signal);
      setDone({ result, wasChecked: isCheck });
      announce(result.isRefused ? t.refused : isCheck ? t.checked : t.imported);
      if (!isCheck && result.created + result.updated > 0) onImported();
    });
  };
  const unknown = columns.filter((name) => !IMPORT_COLUMNS.includes(name));
  const labels = coverageTexts();
  return (
    <div class="coverage-fields" ref={form}>
      <p>
        <strong class="file-name">{file.name}</strong>{' '}
        <span class="fine">{t.size(formatNumber(Math.round(file.size / 10_000) / 100))}</span>
      </p>
      <SelectField
        name="format"
        label={t.format}
        value={format ?? ''}
        options={[...(format ? [] : [{ value: '', label: t.formatUnknown }]), ...FILE_FORMATS.map((value) => ({ value, label: t[value] }))]}
        onChange={(value) => setFormat(FILE_FORMATS.find((one) => one === value))}
      />
      {columns.length > 0 && (
        <div>
          <p class="fine">{t.columns}</p>
          <ul class="columns">
            {columns.map((name, index) => (
              <li key={index}>
                <code class={unknown.includes(name) ? 'is-unknown' : undefined}>{name}</code>
              </li>
            ))}
          </ul>
          {unknown.length > 0 && <p class="error">{t.columnUnknown(unknown.join(', '))}</p>}
        </div>
      )}
      {!isInFile('relation_id') && (
        <RelationChoice
          relations={relations}
          value={chosenRelation}
          error={missing('relation_id', chosenRelation)}
          onChange={setRelation}
          noneLabel={noneLabel}
        />
      )}
      {!isInFile('token') && (
        <SelectField
          name="import-token"
          label={t.token}
          value={token}
          error={missing('token', token)}
          options={[{ value: '', label: noneLabel }, ...TOKENS.map((value) => ({ value, label: tokenName(value) }))]}
          onChange={setToken}
        />
      )}
      <label class="check">
        <input type="checkbox" checked={isLax} onChange={({ currentTarget }) => setLax(currentTarget.checked)} />
        {t.lax}
      </label>
      <div class="actions">
        <button type="button" class="primary" disabled={!format} aria-disabled={transfer.isBusy} onClick={() => send(false)}>
          {t.doImport(labels[target])}
        </button>
        <button type="button" disabled={!format} aria-disabled={transfer.isBusy} onClick={() => send(true)}>
          {t.check}
        </button>
      </div>
      {transfer.isBusy && (
        <div class="transfer">
          <progress max={100} {...(percent < 100 && { value: percent })} aria-label={t.import} />
          <p role="status">{percent < 100 ? t.sending(percent) : t.working}</p>
          <button type="button" class="small" onClick={transfer.cancel}>
            {t.cancel}
          </button>
        </div>
      )}
      {transfer.wasCancelled && !transfer.isBusy && <p role="status">{t.cancelled}</p>}
      {transfer.error !== undefined && (
        <Failure
          error={transfer.error}
          takesFocus
          {...(transfer.error instanceof FileChanged && { title: t.fileChanged, detail: t.fileChangedWhy })}
        />
      )}
      {done && <ImportReport {...done} fileName={file.name} />}
    </div>
  );
}

function useColumns(file: File, format: FileFormat | undefined, gzip: boolean): string[] {
  const [columns, setColumns] = useState<string[]>([]);
  useEffect(() => {
    let isCurrent = true;
    setColumns([]);
    if (format) void columnsOf(file, format, gzip).then((names) => isCurrent && setColumns(names));
    return () => {
      isCurrent = false;
    };
  }, [file, format]);
  return columns;
}
