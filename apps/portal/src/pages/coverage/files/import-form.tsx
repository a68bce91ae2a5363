import { FILE_FORMATS, fileFormat, type FileFormat, IMPORT_COLUMNS, TOKENS } from '@fibre/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { announce } from '../../../ui/announcements.js';
import { useApp, useScope } from '../../../session/context.js';
import { formatNumber } from '../../../texts.js';
import { FileField } from '../../../ui/form/file-field.js';
import { RecordChoice } from '../../../ui/form/record-choice.js';
import { SelectField } from '../../../ui/form/select-field.js';
import { Section } from '../../../ui/section.js';
import { TransferNote } from '../../../ui/transfer-note.js';
import { useCoverage } from '../coverage-state.js';
import { nameOf } from '../coverage-texts.js';
import { FileChanged, isChangeable, NO_PREVIEW, type Preview, previewOf, withColumns } from './preview.js';
import { FileTable } from './file-table.js';
import { type Imported, importFile } from './files.js';
import { texts } from './files-texts.js';
import { ImportReport } from './import-report.js';
import { useTransfer } from '../../../hooks/use-transfer.js';

interface Done {
  readonly result: Imported;
  readonly wasChecked: boolean;
}

/** The form of an import: the file, values for all of its rows, and the result. */
export function ImportForm({ onImported }: { onImported: () => void }) {
  const t = texts();
  const mayWrite = useScope('coverage:write');
  const [file, setFile] = useState<File>();
  return (
    <Section title={t.import}>
      <h3>{t.file}</h3>
      <FileField name="file" label={file ? t.another : t.chooseFile} hint={t.importHint} isOff={!mayWrite} onFile={setFile} />
      {file && <ChosenFile file={file} onImported={onImported} />}
    </Section>
  );
}

function ChosenFile({ file, onImported }: { file: File; onImported: () => void }) {
  const t = texts();
  const { fibre } = useApp();
  const { shown, relations, onChanged } = useCoverage();
  const { gzip, ...recognised } = fileFormat(file.name);
  const [chosenFormat, setFormat] = useState<FileFormat>();
  const format = chosenFormat ?? recognised.format;
  const preview = usePreview(file, format, gzip);
  const { columns } = preview;
  /** Each unknown column's field; empty if the column is left out. */
  const [fields, setFields] = useState<Readonly<Record<string, string>>>({});
  // The relation of the page's filter is most likely that of the file.
  const [relation_id, setRelation] = useState(shown.relation_id ?? '');
  const [token, setToken] = useState('');
  const [isLax, setLax] = useState(false);
  const [percent, setPercent] = useState(0);
  const [done, setDone] = useState<Done>();
  const [wasAsked, setAsked] = useState(false);
  const transfer = useTransfer();
  const settings = JSON.stringify([format, relation_id, token, isLax, fields]);
  // A second click, or a repetition after the network was away, is the same import.
  const key = useRef({ file, settings, value: crypto.randomUUID() });
  if (key.current.file !== file || key.current.settings !== settings) key.current = { file, settings, value: crypto.randomUUID() };
  // Settings stay for the next file, which is often the corrected one; the result does not.
  useEffect(() => {
    setFormat(undefined);
    setDone(undefined);
    setAsked(false);
    transfer.forget();
  }, [file]);
  const form = useRef<HTMLDivElement>(null);

  const unknown = columns.filter((name) => !IMPORT_COLUMNS.includes(name));
  const mayChange = format !== undefined && isChangeable(file, format);
  const named = unknown.filter((name) => fields[name] !== undefined);
  const isInFile = (column: string): boolean => columns.includes(column) || named.some((name) => fields[name] === column);
  const isMissing = (column: string, value: string): boolean => columns.length > 0 && !isInFile(column) && value === '';
  const missing = (column: string, value: string) => (wasAsked && isMissing(column, value) ? { text: t.columnMissing } : undefined);
  const noneLabel = columns.length > 0 ? t.choose : t.inTheFile;

  const send = (isCheck: boolean): void => {
    if (!format) return;
    setAsked(true);
    if (isMissing('relation_id', relation_id) || isMissing('token', token) || (mayChange && named.length < unknown.length)) {
      // After the next rendering, which marks the fields.
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return;
    }
    setPercent(0);
    setDone(undefined);
    void transfer.run(async (signal) => {
      const query = {
        target: shown.target,
        ...(relation_id && !isInFile('relation_id') && { relation_id }),
        ...(token && !isInFile('token') && { token }),
        mode: isLax ? 'lax' : 'strict',
        dry_run: String(isCheck),
      } as object;
      const nameOfColumn = (name: string) => (unknown.includes(name) ? fields[name] || undefined : name);
      const sent =
        named.length === 0
          ? { file, format, gzip }
          : { file: await withColumns(file, format, gzip, nameOfColumn), format: 'csv' as const, gzip: false };
      const onProgress = ({ bytes }: { bytes: number }): void => setPercent(Math.floor((bytes / Math.max(1, sent.file.size)) * 100));
      const result = await importFile(fibre, { ...sent, query, key: key.current.value }, onProgress, signal);
      setDone({ result, wasChecked: isCheck });
      announce(result.isRefused ? t.refused : isCheck ? t.checked : t.imported);
      if (isCheck || result.created + result.updated === 0) return;
      onChanged();
      onImported();
    });
  };
  return (
    <div class="coverage-panel" ref={form}>
      <p>
        <strong class="file-name">{file.name}</strong>{' '}
        <span class="fine">{t.size(formatNumber(Math.round(file.size / 10_000) / 100))}</span>
      </p>
      <SelectField
        name="format"
        label={t.format}
        value={format ?? ''}
        options={[...(format ? [] : [{ value: '', label: t.choose }]), ...FILE_FORMATS.map((value) => ({ value, label: t[value] }))]}
        onChange={(value) => setFormat(FILE_FORMATS.find((one) => one === value))}
      />
      {columns.length > 0 && (
        <>
          <h3>{t.columns}</h3>
          <FileTable
            label={t.firstRows}
            head={columns.map((name) => (
              <code class={unknown.includes(name) ? 'error' : undefined}>{name}</code>
            ))}
            rows={preview.rows.map((cells) => cells.map((cell) => <bdi>{cell}</bdi>))}
          />
          {unknown.length > 0 && !mayChange && <p class="error">{t.columnUnknown(unknown.join(', '))}</p>}
          {mayChange &&
            unknown.map((name) => (
              <ColumnField
                key={name}
                name={name}
                field={fields[name]}
                isOpen={wasAsked}
                free={IMPORT_COLUMNS.filter((field) => field === fields[name] || !isInFile(field))}
                onChange={(field) => setFields({ ...fields, [name]: field })}
              />
            ))}
        </>
      )}
      {!isInFile('relation_id') && (
        <RecordChoice
          records={relations}
          label={t.relation}
          value={relation_id}
          error={missing('relation_id', relation_id)}
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
          options={[{ value: '', label: noneLabel }, ...TOKENS.map((value) => ({ value, label: nameOf(value) }))]}
          onChange={setToken}
        />
      )}
      <label class="check">
        <input type="checkbox" checked={isLax} onChange={({ currentTarget }) => setLax(currentTarget.checked)} />
        {t.lax}
      </label>
      <div class="actions">
        <button type="button" class="primary" disabled={!format} aria-disabled={transfer.isBusy} onClick={() => send(false)}>
          {t.doImport(t[shown.target])}
        </button>
        <button type="button" disabled={!format} aria-disabled={transfer.isBusy} onClick={() => send(true)}>
          {t.check}
        </button>
      </div>
      <TransferNote transfer={transfer} {...(transfer.error instanceof FileChanged && { title: t.fileChanged, detail: t.fileChangedWhy })}>
        <progress max={100} {...(percent < 100 && { value: percent })} aria-label={t.import} />
        <p role="status">{percent < 100 ? t.sending(percent) : t.working}</p>
      </TransferNote>
      {transfer.wasCancelled && !transfer.isBusy && <p role="status">{t.cancelled}</p>}
      {done && <ImportReport {...done} file={file} format={format} gzip={gzip} />}
    </div>
  );
}

/** No field has this name. */
const NOT_CHOSEN = '?';

/** What an unknown column of the file is. */
function ColumnField(props: {
  name: string;
  field: string | undefined;
  isOpen: boolean;
  /** Fields that no other column has. */
  free: readonly string[];
  onChange: (field: string) => void;
}) {
  const t = texts();
  const { name, field } = props;
  return (
    <SelectField
      name={name}
      label={t.columnIs(name)}
      value={field ?? NOT_CHOSEN}
      error={props.isOpen && field === undefined ? { text: t.columnNotChosen } : undefined}
      options={[
        ...(field === undefined ? [{ value: NOT_CHOSEN, label: t.choose }] : []),
        { value: '', label: t.leaveOut },
        ...props.free.map((value) => ({ value, label: value })),
      ]}
      onChange={props.onChange}
    />
  );
}

function usePreview(file: File, format: FileFormat | undefined, gzip: boolean): Preview {
  const [preview, setPreview] = useState(NO_PREVIEW);
  useEffect(() => {
    let isCurrent = true;
    setPreview(NO_PREVIEW);
    if (format) void previewOf(file, format, gzip).then((shown) => isCurrent && setPreview(shown));
    return () => {
      isCurrent = false;
    };
  }, [file, format]);
  return preview;
}
