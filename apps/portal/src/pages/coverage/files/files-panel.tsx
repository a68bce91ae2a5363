import { type Collection, FILE_FORMATS, TOKENS } from '@fibre/client';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { announce } from '../../../ui/announcements.js';
import { useApp, useScope } from '../../../session/context.js';
import { formatSize } from '../../../texts.js';
import { Failure, Loading } from '../../../ui/failure.js';
import { CheckField, SelectField, TextField } from '../../../ui/form/field.js';
import { RecordChoice } from '../../../ui/form/record-choice.js';
import { Lacks, Section } from '../../../ui/page.js';
import { ExportButtons, FORMAT_NAMES, saveFile, TransferNote } from '../../../ui/transfer.js';
import { useCoverage } from '../coverage-state.js';
import { saveNodes, SaveFirst } from '../save-first.js';
import { choicesOf, nodesInWords, texts as coverageTexts } from '../coverage-texts.js';
import { FileField } from './file-field.js';
import { checkUnchanged, type Source } from './source.js';
import { NO_MAPPING, rememberedMapping, rememberMapping } from '../last-import.js';
import { FIELDS } from './guess.js';
import { type Choices, mapped } from './mapped.js';
import { candidates } from './heading.js';
import { Notes } from './notes.js';
import { NO_PREVIEW, previewOf } from './preview.js';
import { Columns, Meaning } from './columns.js';
import { isChangeable, type Ranges } from './table-file.js';
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
      <Section title={t.export} why={t.exportHint(shown.target)}>
        <ExportButtons name={`access-${shown.target}`} formats={FILE_FORMATS} read={query.file} />
      </Section>
    </>
  );
}

/** The form for an import: values for all rows of the file, and the result. */
function ChosenFile({ source }: { source: Source }) {
  const t = texts();
  const { fibre } = useApp();
  const { shown, relations, onChanged, map } = useCoverage();
  const { file, format, gzip } = source;
  const { data: preview = NO_PREVIEW, isLoading: isReading } = useLoad(
    () => previewOf(source),
    [file.name, file.size, file.lastModified].join(' '),
  );
  // The file most likely belongs to the relation that the page is filtered by.
  const [relation_id, setRelation] = useState(shown.relation_id ?? '');
  const [token, setToken] = useState('');
  /** What the person has chosen; the rest is as in the last import into the relation, or guessed. */
  const [chosen, setChosen] = useState<Choices>({ ...NO_MAPPING, cells: {} });
  const remembered = useMemo(() => rememberedMapping(relation_id), [relation_id]);
  const [isLax, setLax] = useState(false);
  /** Whether the nodes that are not in the file are deleted. */
  const [isWhole, setWhole] = useState(() => rememberedMapping(relation_id).isWhole ?? false);
  const [isSaved, setSaved] = useState(true);
  const [percent, setPercent] = useState(0);
  const [done, setDone] = useState<{ result: Imported; wasChecked: boolean; settings: string }>();
  const [wasAsked, setAsked] = useState(false);
  /** The rows that an import rejected while it took the others. */
  const [rest, setRest] = useState<Ranges>();
  const transfer = useTransfer();
  // The settings are kept for the next file, which is often a corrected version of this one. The result is not kept.
  useEffect(() => {
    setDone(undefined);
    setAsked(false);
    setChosen((before) => ({ ...before, heading: undefined, cells: {}, only: undefined }));
    setRest(undefined);
    transfer.forget();
  }, [file]);
  const form = useRef<HTMLDivElement>(null);

  const mayChange = isChangeable(source);
  const choices = useMemo(
    () => ({
      ...chosen,
      fields: { ...remembered.fields, ...chosen.fields },
      stages: { ...remembered.stages, ...chosen.stages },
      // If the file is the whole truth, a part of it would delete all others.
      only: isWhole ? undefined : chosen.only,
    }),
    [remembered, chosen, isWhole],
  );
  const table = useMemo(() => mapped(preview, mayChange, choices), [preview, mayChange, choices]);
  const { columns, fields, words, stageOf, heading } = table;
  const unknown = columns.filter((name) => fields[name] === undefined);
  const isUnclear = mayChange && (unknown.length > 0 || words.some((word) => stageOf(word) === undefined));
  const settings = JSON.stringify([
    relation_id,
    token,
    isLax,
    isWhole,
    chosen.heading,
    chosen.cells,
    chosen.only,
    fields,
    words.map(stageOf),
  ]);
  // A second click, or a retry after a network failure, counts as the same import.
  const key = useMemo(() => crypto.randomUUID(), [file, settings]);
  const isInFile = (column: string): boolean => table.indexOf(column) >= 0;
  const isMissing = (column: string, value: string): boolean =>
    value === '' && ((columns.length > 0 && !isInFile(column)) || (isWhole && column === 'relation_id'));
  const missing = (column: string, value: string) => (wasAsked && isMissing(column, value) ? { text: t.columnMissing } : undefined);
  const noneLabel = columns.length > 0 ? t.choose : t.inTheFile;

  /** The file's own name of a field. */
  const columnOf = (field: string): string => heading.columns[table.indexOf(field)] ?? field;
  const correct = (cells: Choices['cells']): void => setChosen((before) => ({ ...before, cells: { ...before.cells, ...cells } }));

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
    // A column without a name of its own may be another one in the next file.
    const named = Object.fromEntries(Object.entries(fields).filter(([name]) => !/^[A-Z]{1,2}$/.test(name)));
    rememberMapping(relation_id, { fields: { ...remembered.fields, ...named }, stages: choices.stages, isWhole, target: shown.target });
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
      await checkUnchanged(source);
      const content = table.content();
      const sent = content ?? file;
      const result = await importFile(fibre, sent, query, {
        format,
        gzip: gzip && !content,
        // A second import of the whole relation changes nothing, but may delete another number of nodes, for which the first key is taken.
        idempotencyKey: isWhole ? crypto.randomUUID() : key,
        onProgress: ({ bytes }) => setPercent(Math.floor((bytes / Math.max(1, sent.size)) * 100)),
        signal,
      });
      setDone({ result, wasChecked: isCheck, settings });
      announce(result.isRefused ? t.nothingImported : isCheck ? t.checked : t.imported);
      if (mayChange && !isCheck && !result.isRefused) {
        const left = result.refused > 0 && !result.stopped ? (result.refused_lines as unknown as Ranges) : undefined;
        // A second click sends the same rows again, which changes nothing.
        setRest((before) => left ?? before);
        setChosen((before) => ({ ...before, only: left ?? before.only }));
      }
      if (isCheck || result.isRefused || result.created + result.updated + result.deleted === 0) return;
      onChanged();
      void map.current?.showAll();
    });
  };
  const isOff = isReading || preview.error !== undefined;
  return (
    <div class="coverage-panel" ref={form}>
      <p>
        <strong>{file.name}</strong>{' '}
        <span class="fine">
          {source.isSheet ? 'Excel' : FORMAT_NAMES[format]}, {formatSize(file.size)}
        </span>
      </p>
      {preview.error && <Failure error={preview.error} />}
      {isReading && <Loading />}
      {columns.length > 0 && (
        <>
          <h3>{t.columns}</h3>
          {mayChange && (!heading.isSure || heading.row.line !== preview.filled[0]?.line) && (
            <SelectField
              name="heading"
              label={t.heading}
              hint={heading.isSure ? undefined : t.headingUnsure}
              value={String(heading.row.line)}
              options={candidates(preview.filled).map(({ line, cells }) => ({
                value: String(line),
                label: `${t.line} ${line}: ${cells.filter(Boolean).join(', ').slice(0, 60)}`,
              }))}
              onChange={(line) => setChosen({ ...chosen, heading: Number(line) })}
            />
          )}
          <Columns
            all={heading.columns}
            columns={columns}
            rows={table.rows}
            fields={fields}
            choices={FIELDS}
            none={t.leaveOut}
            mayChange={mayChange}
            isAsked={wasAsked}
            onChange={(changed) => setChosen({ ...chosen, fields: { ...chosen.fields, ...changed } })}
          />
          {unknown.length > 0 && !mayChange && <p class="error">{t.columnUnknown(unknown.join(', '))}</p>}
          {words.length > 0 && (
            <div class="filter-fields">
              {words.map((word) => (
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
      <Notes source={source} table={table} onCorrect={correct} />
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
      {rest && !isWhole && (
        <CheckField
          label={t.onlyRest}
          isOn={chosen.only !== undefined}
          onChange={(isOnly) => setChosen({ ...chosen, only: isOnly ? rest : undefined })}
        />
      )}
      <CheckField label={t.lax} isOn={isLax && !isWhole} isOff={isWhole} onChange={setLax} />
      <CheckField label={t.whole} isOn={isWhole} onChange={setWhole} />
      <div class="actions">
        {!isWhole && (
          <Button label={t.doImport(shown.target)} look="primary" isBusy={transfer.isBusy} isOff={isOff} onClick={() => send(false)} />
        )}
        <Button
          label={isWhole ? t.checkWhole : t.check}
          look={isWhole ? 'primary' : undefined}
          isBusy={transfer.isBusy}
          isOff={isOff}
          onClick={() => send(true)}
        />
      </div>
      <TransferNote transfer={transfer}>
        <progress max={100} {...(percent < 100 && { value: percent })} aria-label={t.import} />
        <p role="status">{percent < 100 ? t.sending(percent) : t.working}</p>
      </TransferNote>
      {transfer.wasCancelled && !transfer.isBusy && <p role="status">{t.cancelled}</p>}
      {done && (
        <ImportReport
          {...done}
          source={source}
          columnOf={columnOf}
          table={mayChange ? { ...table, read: preview.table } : undefined}
          onCorrect={correct}
        >
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
          label={deleted > 0 ? t.importAndDelete(nodesInWords(deleted)) : t.doImport(props.target)}
          look={deleted > 0 ? 'danger' : 'primary'}
          isOff={isGuarded && typed.trim() !== props.relation}
          onClick={props.onSend}
        />
      </div>
    </>
  );
}
