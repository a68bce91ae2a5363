import { SelectField } from '../../../ui/form/field.js';
import { choicesOf } from '../coverage-texts.js';
import { FileTable } from './file-table.js';
import { texts } from './files-texts.js';
import { type Preview, SHOWN_ROWS } from './preview.js';

/** The first rows of a file, and what some of its columns contain, which the person can change. */
export function Columns(props: {
  preview: Preview;
  /** The columns that can mean one thing or another. */
  named: readonly string[];
  /** The field of each column; empty if it has none. */
  fields: Readonly<Record<string, string>>;
  choices: readonly string[];
  /** Text for the choice that a column has no field. */
  none: string;
  missing?: string | undefined;
  onChange: (fields: Readonly<Record<string, string>>) => void;
}) {
  const t = texts();
  const { preview, named, fields, choices } = props;
  const taken = new Set(preview.columns.map((name) => fields[name] ?? name));
  return (
    <>
      <FileTable
        label={t.firstRows}
        head={preview.columns}
        rows={preview.rows.slice(0, SHOWN_ROWS).map((cells) => cells.map((cell) => <bdi class="word">{cell}</bdi>))}
      />
      {named.length > 0 && (
        <div class="filter-fields">
          {named.map((name) => (
            <Meaning
              key={name}
              label={t.columnIs(name)}
              name={name}
              value={fields[name]}
              none={props.none}
              missing={props.missing}
              options={choices.filter((field) => field === fields[name] || !taken.has(field))}
              onChange={(field) => props.onChange({ [name]: field })}
            />
          ))}
        </div>
      )}
    </>
  );
}

/** Means that nothing has been chosen yet; no field has this name. */
const NOT_CHOSEN = '?';

/** Asks what a column of the file, or a word in it, means. */
export function Meaning(props: {
  label: string;
  name: string;
  value: string | undefined;
  /** Text for the choice that it means nothing. */
  none: string;
  /** Error if nothing is chosen. */
  missing: string | undefined;
  options: readonly string[];
  onChange: (value: string) => void;
}) {
  const { value, missing } = props;
  return (
    <SelectField
      name={props.name}
      label={props.label}
      value={value ?? NOT_CHOSEN}
      error={missing !== undefined && value === undefined ? { text: missing } : undefined}
      options={[
        ...(value === undefined ? [{ value: NOT_CHOSEN, label: texts().choose }] : []),
        { value: '', label: props.none },
        ...choicesOf(props.options),
      ]}
      onChange={props.onChange}
    />
  );
}
