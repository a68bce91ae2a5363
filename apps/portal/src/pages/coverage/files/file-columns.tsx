import { TOKENS } from '@fibre/client';
import { SelectField } from '../../../ui/form/field.js';
import { Columns, Meaning } from './columns.js';
import { texts } from './files-texts.js';
import { FIELDS } from './table/guess.js';
import { candidates } from './table/heading.js';
import type { FileImport } from './use-file-import.js';

/** What the columns of a file contain and its words for stages mean. */
export function FileColumns({ preview, table, mayChange, unknown, chosen, setChosen, wasAsked }: FileImport) {
  const t = texts();
  const { columns, fields, words, stageOf, heading } = table;
  if (columns.length === 0) return null;
  return (
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
  );
}
