import { TOKENS } from '@fibre/client';
import { useRef } from 'preact/hooks';
import { formatSize } from '../../../texts.js';
import { Button } from '../../../ui/button.js';
import { Failure } from '../../../ui/failure.js';
import { CheckField, SelectField } from '../../../ui/form/field.js';
import { RecordChoice } from '../../../ui/form/record-choice.js';
import { FORMAT_NAMES, TransferNote } from '../../../ui/transfer.js';
import { Loading } from '../../../ui/when-loaded.js';
import { choicesOf } from '../coverage-texts.js';
import { useCoverage } from '../coverage-state.js';
import { DoWhole } from './do-whole.js';
import { FileColumns } from './file-columns.js';
import { texts } from './files-texts.js';
import { ImportReport } from './import-report.js';
import { Notes } from './notes.js';
import type { Choices } from './table/mapped.js';
import type { Source } from './table/source.js';
import { useFileImport } from './use-file-import.js';

/** The form for an import: values for all rows of the file, and the result. */
export function ChosenFile({ source }: { source: Source }) {
  const t = texts();
  const { shown, relations } = useCoverage();
  const form = useRef<HTMLDivElement>(null);
  // The next render marks the invalid fields.
  const focusInvalid = (): unknown =>
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  const chosenFile = useFileImport(source, focusInvalid);
  const { preview, isReading, mayChange, table, isInFile, chosen, setChosen, rest, missing } = chosenFile;
  const { relation_id, setRelation, token, setToken, isLax, setLax, isWhole, setWhole } = chosenFile;
  const { send, transfer, percent, done } = chosenFile;
  /** The file's own name of a field. */
  const columnOf = (field: string): string => table.heading.columns[table.indexOf(field)] ?? field;
  const correct = (cells: Choices['cells']): void => setChosen((before) => ({ ...before, cells: { ...before.cells, ...cells } }));
  const noneLabel = table.columns.length > 0 ? t.choose : t.inTheFile;
  const isOff = isReading || preview.error !== undefined;
  return (
    <div class="coverage-panel" ref={form}>
      <p>
        <strong>{source.file.name}</strong>{' '}
        <span class="fine">
          {source.isSheet ? 'Excel' : FORMAT_NAMES[source.format]}, {formatSize(source.file.size)}
        </span>
      </p>
      {preview.error && <Failure error={preview.error} />}
      {isReading && <Loading />}
      <FileColumns {...chosenFile} />
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
          result={done.result}
          wasChecked={done.wasChecked}
          source={source}
          columnOf={columnOf}
          table={mayChange ? { ...table, read: preview.table } : undefined}
          onCorrect={correct}
        >
          {isWhole && (done.result.isGuarded || (done.wasChecked && !done.result.isRefused)) && chosenFile.isCurrent && (
            <DoWhole
              key={done.result.deleted}
              result={done.result}
              relation={chosenFile.nameOfRelation}
              target={shown.target}
              isSaved={chosenFile.isSaved}
              onSaved={chosenFile.setSaved}
              onSend={() => send(false, done.result.deleted)}
            />
          )}
        </ImportReport>
      )}
    </div>
  );
}
