import { type Collection, FILE_FORMATS, IMPORT_COLUMNS, TOKENS } from '@fibre/client';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { announce } from '../../../ui/announcements.js';
import { useApp, useScope } from '../../../session/context.js';
import { formatSize } from '../../../texts.js';
import { Failure } from '../../../ui/failure.js';
import { CheckField, SelectField, TextField } from '../../../ui/form/field.js';
import { RecordChoice } from '../../../ui/form/record-choice.js';
import { Lacks, Section } from '../../../ui/page.js';
import { ExportButtons, FORMAT_NAMES, saveFile, TransferNote } from '../../../ui/transfer.js';
import { useCoverage } from '../coverage-state.js';
import { saveNodes, SaveFirst } from '../save-first.js';
import { choicesOf, nodesInWords, texts as coverageTexts } from '../coverage-texts.js';
import { FileField } from './file-field.js';
import type { Source } from './source.js';
import { FIELDS, fieldsOf, guessStage, NO_MAPPING, rememberedMapping, rememberMapping } from './guess.js';
import { NO_PREVIEW, previewOf } from './preview.js';
import { Columns, Meaning } from './columns.js';
import { isChangeable, REASON, withColumns } from './table-file.js';
import { type Imported, importFile, presentNodes } from './files.js';
import { texts } from './files-texts.js';
import { ImportReport } from './import-report.js';
import { useLoad } from '../../../hooks/use-load.js';
import { useTransfer } from '../../../hooks/use-action.js';
import { Button } from '../../../ui/button.js';
import './files.css';

/** Imports nodes, and exports the nodes on the map. */
export function FilesPanel() {
  const t = texts();
  const { query, shown } = useCoverage();
  const mayWrite = useScope('coverage:write');
  const [source, choose] = useState<Source>();
  return (
    <>
      <Lacks scope="coverage:write" />
      <Section title={t.import}>
        <h3>{t.file}</h3>
        <FileField name="file" label={source ? t.another : t.chooseFile} hint={t.importHint} isOff={!mayWrite} onChoose={choose} />
        <div class="actions">
          <Button label={t.saveSample} look="small" onClick={() => void saveFile(`${t.sampleName}.csv`, new Blob(['\uFEFF', t.sample]))} />
        </div>
        {source && <ChosenFile source={source} />}
      </Section>
      <Section title={t.export} why={t.exportHint(t[shown.target])}>
        <ExportButtons name={`access-${shown.target}`} formats={FILE_FORMATS} read={query.file} />
      </Section>
    </>
  );
}

/** Number of words that a person is asked about; a column with more of them hardly contains stages. */
const MOST_WORDS = 20;
/** Columns of our own files that are not imported. */
const LEFT_OUT = { [REASON]: '', created_by: '', modified_by: '' };
const isToken = (word: string): boolean => TOKENS.some((token) => token === word);

/** The form for an import: values for all rows of the file, and the result. */
function ChosenFile({ source }: { source: Source }) {
  const t = texts();
  const { fibre } = useApp();
  const { shown, relations, onChanged, map } = useCoverage();
  const { file, format, gzip } = source;
  const { data: preview = NO_PREVIEW } = useLoad(() => previewOf(source), [file.name, file.size, file.lastModified].join(' '));
  const { columns } = preview;
  // The file most likely belongs to the relation that the page is filtered by.
  const [relation_id, setRelation] = useState(shown.relation_id ?? '');
  const [token, setToken] = useState('');
  /** What the person has chosen; the rest is as in the last import into the relation, or guessed. */
  const [chosen, setChosen] = useState(NO_MAPPING);
  const remembered = useMemo(() => rememberedMapping(relation_id), [relation_id]);
  const [isLax, setLax] = useState(false);
  /** Whether the nodes that are not in the file are deleted. */
  const [isWhole, setWhole] = useState(false);
  const [isSaved, setSaved] = useState(true);
  const [percent, setPercent] = useState(0);
  const [done, setDone] = useState<{ result: Imported; wasChecked: boolean; settings: string }>();
  const [wasAsked, setAsked] = useState(false);
  const transfer = useTransfer();
  // The settings are kept for the next file, which is often a corrected version of this one. The result is not kept.
  useEffect(() => {
    setDone(undefined);
    setAsked(false);
    transfer.forget();
  }, [file]);
  const form = useRef<HTMLDivElement>(null);

  const unknown = columns.filter((name) => !IMPORT_COLUMNS.includes(name));
  const mayChange = isChangeable(source);
  /** The field of each unknown column; empty if the column is left out. */
  const fields = fieldsOf(columns, { ...LEFT_OUT, ...remembered.fields, ...chosen.fields });
  const named = mayChange ? unknown.filter((name) => fields[name] !== undefined) : [];
  const stageAt = columns.findIndex((name) => name === 'token' || fields[name] === 'token');
  const words = new Set(preview.rows.map((cells) => cells[stageAt]?.trim() ?? ''));
  /** Words for stages that are not the API's; like the columns, each has a guess. */
  const stageWords = mayChange ? [...words].filter((word) => word !== '' && !isToken(word)).slice(0, MOST_WORDS) : [];
  const stages = { ...remembered.stages, ...chosen.stages };
  const stageOf = (word: string): string | undefined => stages[word] ?? guessStage(word);
  const isUnclear = mayChange && (named.length < unknown.length || stageWords.some((word) => stageOf(word) === undefined));
  const settings = JSON.stringify([relation_id, token, isLax, isWhole, fields, stageWords.map(stageOf)]);
  // A second click, or a retry after a network failure, counts as the same import.
  const key = useMemo(() => crypto.randomUUID(), [file, settings]);
  const isInFile = (column: string): boolean => columns.includes(column) || named.some((name) => fields[name] === column);
  const isMissing = (column: string, value: string): boolean =>
    value === '' && ((columns.length > 0 && !isInFile(column)) || (isWhole && column === 'relation_id'));
  const missing = (column: string, value: string) => (wasAsked && isMissing(column, value) ? { text: t.columnMissing } : undefined);
  const noneLabel = columns.length > 0 ? t.choose : t.inTheFile;

  /** The file's own name of a field. */
  const columnOf = (field: string): string => named.find((name) => fields[name] === field) ?? field;

  const nameOfRelation = relations.nameOf.get(relation_id) ?? relation_id;
  /** @param most maximum number of nodes to delete, as many as the person has seen; if absent, the service decides how many are too many */
  const send = (isCheck: boolean, most?: number): void => {
    setAsked(true);
    if (isMissing('relation_id', relation_id) || isMissing('token', token) || isUnclear) {
      // Wait for the next render, which marks the invalid fields.
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return;
    }
    setPercent(0);
    setDone(undefined);
    rememberMapping(relation_id, { fields, stages });
    void transfer.run(async (signal) => {
      if (isWhole && !isCheck && isSaved) await saveNodes(fibre, { relation_id, target: shown.target }, nameOfRelation, signal);
      const query = {
        target: shown.target,
        ...(relation_id && (isWhole || !isInFile('relation_id')) && { relation_id }),
        ...(token && !isInFile('token') && { token }),
        ...(isWhole && { absent: 'delete', ...(most !== undefined && { max_deleted: most }) }),
        mode: isLax && !isWhole ? 'lax' : 'strict',
        dry_run: String(isCheck),
      } as object;
      const nameOfColumn = (name: string) => (unknown.includes(name) ? fields[name] || undefined : name);
      const translated = (cell: string, name: string): string => (name === 'token' && stageOf(cell.trim())) || cell;
      const isChanged = named.length > 0 || stageWords.length > 0;
      const sent = isChanged ? await withColumns(source, nameOfColumn, translated) : file;
      const result = await importFile(fibre, sent, query, {
        format,
        gzip: gzip && !isChanged,
        // A second import of the whole relation changes nothing, but may delete another number of nodes, for which the first key is taken.
        idempotencyKey: isWhole ? crypto.randomUUID() : key,
        onProgress: ({ bytes }) => setPercent(Math.floor((bytes / Math.max(1, sent.size)) * 100)),
        signal,
      });
      setDone({ result, wasChecked: isCheck, settings });
      announce(result.isRefused ? t.nothingImported : isCheck ? t.checked : t.imported);
      if (isCheck || result.isRefused || result.created + result.updated + result.deleted === 0) return;
      onChanged();
      void map.current?.showAll();
    });
  };
  return (
    <div class="coverage-panel" ref={form}>
      <p>
        <strong>{file.name}</strong>{' '}
        <span class="fine">
          {FORMAT_NAMES[format]}, {formatSize(file.size)}
        </span>
      </p>
      {preview.error && <Failure error={preview.error} />}
      {columns.length > 0 && (
        <>
          <h3>{t.columns}</h3>
          <Columns
            preview={preview}
            named={mayChange ? unknown : []}
            fields={fields}
            choices={FIELDS}
            none={t.leaveOut}
            missing={wasAsked ? t.columnNotChosen : undefined}
            onChange={(changed) => setChosen({ ...chosen, fields: { ...chosen.fields, ...changed } })}
          />
          {unknown.length > 0 && !mayChange && <p class="error">{t.columnUnknown(unknown.join(', '))}</p>}
          {stageWords.length > 0 && (
            <div class="filter-fields">
              {stageWords.map((word) => (
                <Meaning
                  key={word}
                  label={t.wordIs(word)}
                  name={`stage ${word}`}
                  value={stageOf(word)}
                  none={t.asItIs}
                  missing={wasAsked ? t.wordNotChosen : undefined}
                  options={TOKENS}
                  onChange={(stage) => setChosen({ ...chosen, stages: { ...chosen.stages, [word]: stage } })}
                />
              ))}
            </div>
          )}
        </>
      )}
      {(isWhole || !isInFile('relation_id')) && (
        <RecordChoice
          records={relations}
          name="import-relation"
          label={t.relation}
          value={relation_id}
          error={missing('relation_id', relation_id)}
          onChange={setRelation}
          noneLabel={isWhole ? t.choose : noneLabel}
        />
      )}
      {!isInFile('token') && (
        <SelectField
          name="import-token"
          label={t.token}
          value={token}
          error={missing('token', token)}
          options={[{ value: '', label: noneLabel }, ...choicesOf(TOKENS)]}
          onChange={setToken}
        />
      )}
      <CheckField label={t.lax} isOn={isLax && !isWhole} isOff={isWhole} onChange={setLax} />
      <CheckField label={t.whole} isOn={isWhole} onChange={setWhole} />
      <div class="actions">
        {!isWhole && <Button label={t.doImport(t[shown.target])} look="primary" isBusy={transfer.isBusy} onClick={() => send(false)} />}
        <Button
          label={isWhole ? t.checkWhole : t.check}
          look={isWhole ? 'primary' : undefined}
          isBusy={transfer.isBusy}
          onClick={() => send(true)}
        />
      </div>
      <TransferNote transfer={transfer}>
        <progress max={100} {...(percent < 100 && { value: percent })} aria-label={t.import} />
        <p role="status">{percent < 100 ? t.sending(percent) : t.working}</p>
      </TransferNote>
      {transfer.wasCancelled && !transfer.isBusy && <p role="status">{t.cancelled}</p>}
      {done && (
        <ImportReport {...done} source={source} columnOf={columnOf}>
          {isWhole && (done.result.isGuarded || (done.wasChecked && !done.result.isRefused)) && done.settings === settings && (
            <DoWhole
              key={done.result.deleted}
              result={done.result}
              relation={nameOfRelation}
              target={shown.target}
              isSaved={isSaved}
              onSaved={setSaved}
              onSend={() => send(false, done.result.deleted)}
            />
          )}
        </ImportReport>
      )}
    </div>
  );
}

/** Imports a file and deletes the nodes that are not in it, once the person has seen which and, if they are many, typed the relation's name. */
function DoWhole(props: {
  result: Imported;
  relation: string;
  target: Collection;
  isSaved: boolean;
  onSaved: (isSaved: boolean) => void;
  onSend: () => void;
}) {
  const t = texts();
  const [typed, type] = useState('');
  const { deleted, isGuarded } = props.result;
  return (
    <>
      {presentNodes(props.result) > 0 && <SaveFirst isOn={props.isSaved} onChange={props.onSaved} />}
      {isGuarded && (
        <TextField name="whole-relation" isRequired label={coverageTexts().deleteConfirm(props.relation)} value={typed} onChange={type} />
      )}
      <div class="actions">
        <Button
          label={deleted > 0 ? t.importAndDelete(nodesInWords(deleted)) : t.doImport(t[props.target])}
          look={deleted > 0 ? 'danger' : 'primary'}
          isOff={isGuarded && typed.trim() !== props.relation}
          onClick={props.onSend}
        />
      </div>
    </>
  );
}
