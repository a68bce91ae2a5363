import { type Collection, FILE_FORMATS, fileFormat, type FileFormat, IMPORT_COLUMNS, TOKENS } from '@fibre/client';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { announce } from '../../../ui/announcements.js';
import { useApp, useScope } from '../../../session/context.js';
import { formatNumber } from '../../../texts.js';
import { Failure } from '../../../ui/failure.js';
import { SelectField } from '../../../ui/form/select-field.js';
import { texts as coverageTexts, tokenName } from '../coverage-texts.js';
import { RelationChoice, type Relations } from '../relation-choice.js';
import { isChangeable, NO_PREVIEW, type Preview, previewOf, withColumns } from './preview.js';
import { FileChanged, type Imported, importFile } from './files.js';
import { texts } from './files-texts.js';
import { ImportReport } from './import-report.js';
import { useTransfer } from '../../../hooks/use-transfer.js';

/** No field has this name. */
const NOT_CHOSEN = '?';

interface Done {
  readonly result: Imported;
  readonly wasChecked: boolean;
}

/** The form of an import: the file, values for all of its rows, and the result. */
export function ImportForm(props: {
  target: Collection;
  /** The relation of the page's filter, which is most likely that of the file. */
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
      <h3>{t.file}</h3>
      <div class="field">
        <label for={id}>{file ? t.another : t.chooseFile}</label>
        <p class="fine" id={`${id}-hint`}>
          {t.importHint}
        </p>
        <input
          id={id}
          type="file"
          disabled={!mayWrite}
          aria-describedby={`${id}-hint`}
          // Otherwise the browser does not report choosing the same file again.
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
  const preview = usePreview(file, format, recognised.gzip);
  const [fields, setFields] = useState<Readonly<Record<string, string>>>({});
  const { columns } = preview;
  const [chosenRelation, setRelation] = useState(given.relation_id);
  const unknown = columns.filter((name) => !IMPORT_COLUMNS.includes(name));
  const mayChange = format !== undefined && isChangeable(file, format);
  const named = unknown.filter((name) => fields[name] !== undefined);
  const isInFile = (column: string): boolean => columns.includes(column) || named.some((name) => fields[name] === column);
  const relation_id = isInFile('relation_id') ? undefined : chosenRelation;
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
  const isMissing = (column: string, value: string | undefined): boolean => columns.length > 0 && !isInFile(column) && !value;
  const missing = (column: string, value: string | undefined) =>
    wasAsked && isMissing(column, value) ? { text: t.columnMissing } : undefined;
  const noneLabel = columns.length > 0 ? t.choose : t.inTheFile;

  const changed = (...[of, as, gzip]: [File, FileFormat, boolean]): Promise<Blob> =>
    withColumns(of, as, gzip, (name) => (unknown.includes(name) ? fields[name] || undefined : name)).catch((cause: unknown) => {
      throw new FileChanged('The file cannot be read', { cause });
    });
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
        target,
        relation_id,
        token: isInFile('token') ? undefined : token || undefined,
        mode: isLax ? 'lax' : 'strict',
        dry_run: String(isCheck),
      } as object;
      const asItIs = named.length === 0;
      const sent = asItIs
        ? { file, format, gzip: recognised.gzip }
        : { file: await changed(file, format, recognised.gzip), format: 'csv' as const, gzip: false };
      const onProgress = ({ bytes }: { bytes: number }): void => setPercent(Math.floor((bytes / Math.max(1, sent.file.size)) * 100));
      const result = await importFile(fibre, { ...sent, query, key: key.current.value }, onProgress, signal);
      setDone({ result, wasChecked: isCheck });
      announce(result.isRefused ? t.refused : isCheck ? t.checked : t.imported);
      if (!isCheck && result.created + result.updated > 0) onImported();
    });
  };
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
        <>
          <h3>{t.columns}</h3>
          <PreviewTable preview={preview} unknown={unknown} />
          {unknown.length > 0 && !mayChange && <p class="error">{t.columnUnknown(unknown.join(', '))}</p>}
          {mayChange &&
            unknown.map((name) => (
              <SelectField
                key={name}
                name={name}
                label={t.columnIs(name)}
                value={fields[name] ?? NOT_CHOSEN}
                error={wasAsked && fields[name] === undefined ? { text: t.columnNotChosen } : undefined}
                options={[
                  ...(fields[name] === undefined ? [{ value: NOT_CHOSEN, label: t.choose }] : []),
                  { value: '', label: t.leaveOut },
                  ...IMPORT_COLUMNS.filter((field) => field === fields[name] || !isInFile(field)).map((field) => ({
                    value: field,
                    label: field,
                  })),
                ]}
                onChange={(field) => setFields({ ...fields, [name]: field })}
              />
            ))}
        </>
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
      {done && <ImportReport {...done} file={file} format={format} gzip={recognised.gzip} />}
    </div>
  );
}

/** The first rows of the file, by its columns. */
function PreviewTable({ preview: { columns, rows }, unknown }: { preview: Preview; unknown: readonly string[] }) {
  const t = texts();
  return (
    <div class="faults" tabIndex={0} role="region" aria-label={t.firstRows}>
      <table>
        <thead>
          <tr>
            {columns.map((name, index) => (
              <th key={index} scope="col">
                <code class={unknown.includes(name) ? 'is-unknown' : undefined}>{name}</code>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, index) => (
            <tr key={index}>
              {cells.map((cell, column) => (
                <td key={column}>
                  <bdi>{cell}</bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
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
