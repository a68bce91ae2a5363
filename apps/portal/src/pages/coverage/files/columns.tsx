import { useId } from 'preact/hooks';
import { Button } from '../../../ui/button.js';
import { SelectField } from '../../../ui/form/field.js';
import { choicesOf } from '../coverage-texts.js';
import { texts } from './files-texts.js';
import { SHOWN_ROWS } from './table/preview.js';
import type { Row } from './table/table-file.js';

/** Means that nothing has been chosen yet; no field has this name. */
const NOT_CHOSEN = '?';

/** The first rows of a file, and in the head of each column what it contains, which the person can change. */
export function Columns(props: {
  /** All columns, by position. */
  all: readonly string[];
  /** Those to show. */
  columns: readonly string[];
  rows: readonly Row[];
  /** The field of each column; empty if it has none. */
  fields: Readonly<Record<string, string>>;
  choices: readonly string[];
  /** Text for the choice that a column has no field. */
  none: string;
  mayChange: boolean;
  /** Whether to mark the columns for which nothing is chosen. */
  isAsked?: boolean;
  onChange: (fields: Readonly<Record<string, string>>) => void;
}) {
  const t = texts();
  const id = useId();
  const { columns, fields, choices, mayChange } = props;
  const taken = new Set(Object.values(fields));
  const undecided = mayChange ? columns.filter((name) => fields[name] === undefined) : [];
  const shown = columns.map((name) => [name, props.all.indexOf(name)] as const);
  return (
    <>
      <div class="file-table" tabIndex={0} role="region" aria-label={t.firstRows}>
        <table class="columns">
          <caption class="visually-hidden">{t.firstRows}</caption>
          <thead>
            <tr>
              {shown.map(([name]) => (
                <th key={name} scope="col">
                  <bdi>{name}</bdi>
                  {mayChange && (
                    <select
                      aria-label={t.columnIs(name)}
                      aria-invalid={props.isAsked && fields[name] === undefined}
                      aria-describedby={fields[name] === undefined ? id : undefined}
                      class={fields[name] === '' ? 'fine' : undefined}
                      value={fields[name] ?? NOT_CHOSEN}
                      onChange={({ currentTarget }) => props.onChange({ [name]: currentTarget.value })}
                    >
                      {fields[name] === undefined && <option value={NOT_CHOSEN}>{t.choose}</option>}
                      <option value="">{props.none}</option>
                      {choicesOf(choices.filter((field) => field === fields[name] || !taken.has(field))).map(({ value, label }) => (
                        <option key={value} value={value}>
                          {label}
                        </option>
                      ))}
                    </select>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {props.rows.slice(0, SHOWN_ROWS).map(({ line, cells }) => (
              <tr key={line}>
                {shown.map(([name, index]) => (
                  <td key={name}>
                    <bdi class="word">{cells[index]}</bdi>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {undecided.length > 0 && (
        <div class="actions">
          <p id={id} class={props.isAsked ? 'error' : undefined}>
            {t.columnsNotChosen(undecided.length)}
          </p>
          <Button
            label={t.leaveOutRest(undecided.length)}
            look="small"
            onClick={() => props.onChange(Object.fromEntries(undecided.map((name) => [name, ''])))}
          />
        </div>
      )}
    </>
  );
}

/** Asks what a word in the file means. */
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
