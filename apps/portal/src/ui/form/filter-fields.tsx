import { Refusal } from '../../api/refusal.js';
import { words } from '../../texts.js';
import type { LabelledProps } from './field.js';
import { RecordChoice, type Records } from './record-choice.js';
import { type Option, SelectField } from './select-field.js';
import { TextFilter } from './text-filter.js';

/** A choice among values or records, or else a text. */
interface Filter<N> extends Pick<LabelledProps, 'label' | 'hint' | 'error'> {
  readonly name: N;
  readonly options?: readonly Option[];
  readonly records?: Records;
  readonly type?: 'date' | 'month' | 'datetime-local';
  /** Instead of what stands in the address. */
  readonly value?: string | undefined;
  readonly onChange?: (value: string | undefined) => void;
}

/** The filters of a listing, which apply at once. An error of the service is shown at its filter. */
export function FilterFields<N extends string>(props: {
  fields: readonly Filter<N>[];
  filters: Partial<Record<N, string>>;
  change: (changes: Partial<Record<N, string | undefined>>) => void;
  error?: unknown;
}) {
  const t = words();
  const { filters, change, error } = props;
  return (
    <section class="filter-fields" aria-label={t.filters}>
      {props.fields.map(({ options, records, ...given }) => {
        const { name } = given;
        const field = {
          value: filters[name],
          error: error instanceof Refusal ? error.byField.get(name) : undefined,
          onChange: (value: string | undefined) => change({ [name]: value } as Partial<Record<N, string>>),
          ...given,
        };
        const { value = '' } = field;
        if (records) return <RecordChoice key={name} {...field} records={records} value={value} noneLabel={t.all} />;
        if (options) return <SelectField key={name} {...field} value={value} options={[{ value: '', label: t.all }, ...options]} />;
        return <TextFilter key={name} {...field} value={field.value} />;
      })}
    </section>
  );
}
