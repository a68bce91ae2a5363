import { fileFormat, type FileFormat } from '@fibre/client';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { announce } from '../../../ui/announcements.js';
import { useApp, useScope } from '../../../session/context.js';
import { formatNumber } from '../../../texts.js';
import { Failure } from '../../../ui/failure.js';
import { SelectField } from '../../../ui/select-field.js';
import { type Collection, TOKENS } from '../access-node.js';
import { texts as coverageTexts, tokenName } from '../coverage-texts.js';
import { RelationChoice, type Relations } from '../relation-choice.js';
import { columnsOf } from './columns.js';
import { FORMATS, type Imported, importFile, isColumn } from './files.js';
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
  const { target, file } = props;
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
          onChange={({ currentTarget }) => currentTarget.files?.[0] && props.onFile(currentTarget.files[0])}
        />
      </div>
      {file && mayWrite && <ChosenFile {...props} key={`${target} ${file.name} ${file.size} ${file.lastModified}`} file={file} />}
    </section>
  );
}

function ChosenFile({ target, relations, file, onImported, ...given }: Parameters<typeof ImportForm>[0] & { file: File }) {
  const t = texts();
  const { fibre } = useApp();
  const [recognised] = useState(() => fileFormat(file.name));
  const [format, setFormat] = useState<FileFormat | undefined>(recognised.format);
  const columns = useColumns(file, format, recognised.gzip);
  const [chosenRelation, setRelation] = useState(given.relation_id);
  const relation_id = columns.includes('relation_id') ? undefined : chosenRelation;
  const [token, setToken] = useState('');
  const [isLax, setLax] = useState(false);
  const [percent, setPercent] = useState(0);
  const [done, setDone] = useState<Done>();
  const transfer = useTransfer();
  const settings = JSON.stringify([format, relation_id, token, isLax]);
  // A second click, or a repetition after the network was away, is the same import.
  const key = useRef({ settings, value: crypto.randomUUID() });
  if (key.current.settings !== settings) key.current = { settings, value: crypto.randomUUID() };

  const send = (isCheck: boolean): void => {
    if (!format) return;
    setPercent(0);
    setDone(undefined);
    void transfer.run(async (signal) => {
      const query = { target, relation_id, token: token || undefined, mode: isLax ? 'lax' : 'strict', dry_run: String(isCheck) } as object;
      const onProgress = ({ bytes }: { bytes: number }): void => setPercent(Math.floor((bytes / Math.max(1, file.size)) * 100));
      const result = await importFile(fibre, { file, format, gzip: recognised.gzip, query, key: key.current.value }, onProgress, signal);
      setDone({ result, wasChecked: isCheck });
      announce(result.isRefused ? t.refused : isCheck ? t.checked : t.imported);
      if (!isCheck && result.created + result.updated > 0) onImported();
    });
  };
  const unknown = columns.filter((name) => !isColumn(name));
  const labels = coverageTexts();
  return (
    <>
      <p>
        <strong class="file-name">{file.name}</strong>{' '}
        <span class="fine">{t.size(formatNumber(Math.round(file.size / 10_000) / 100))}</span>
      </p>
      <SelectField
        name="format"
        label={t.format}
        value={format ?? ''}
        options={[...(format ? [] : [{ value: '', label: t.formatUnknown }]), ...FORMATS.map((value) => ({ value, label: t[value] }))]}
        onChange={(value) => setFormat(FORMATS.find((one) => one === value))}
      />
      {columns.length > 0 && (
        <div>
          <p class="fine">{t.columns}</p>
          <ul class="columns">
            {columns.map((name, index) => (
              <li key={index}>
                <code class={isColumn(name) ? undefined : 'is-unknown'}>{name}</code>
              </li>
            ))}
          </ul>
          {unknown.length > 0 && <p class="error">{t.columnUnknown(unknown.join(', '))}</p>}
        </div>
      )}
      {!columns.includes('relation_id') && (
        <RelationChoice relations={relations} value={chosenRelation} error={undefined} onChange={setRelation} noneLabel={t.inTheFile} />
      )}
      {!columns.includes('token') && (
        <SelectField
          name="import-token"
          label={t.token}
          value={token}
          options={[{ value: '', label: t.inTheFile }, ...TOKENS.map((value) => ({ value, label: tokenName(value) }))]}
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
      {transfer.error !== undefined && <Failure error={transfer.error} takesFocus />}
      {done && <ImportReport {...done} fileName={file.name} />}
    </>
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
