import { useId, useRef } from 'preact/hooks';
import { Refusal } from '../../refusal.js';
import { defineTexts, formatDate } from '../../texts.js';
import { type Option, SelectField, TextFilter, type TextProps } from './field.js';
import { RecordChoice, type Records } from './record-choice.js';
import { Button } from '../button.js';

const texts = defineTexts({
  remove: ['Remove the filter', 'Filter entfernen'],
  removeAll: ['Remove all filters', 'Alle Filter entfernen'],
  more: ['More filters', 'Weitere Filter'],
});

/** A choice among values or records, or else a text field. Its value comes from the URL unless `value` is set. */
type Filter<N> = Partial<TextProps> & {
  readonly name: N;
  readonly label: string;
  readonly options?: readonly Option[];
  readonly records?: Records;
  /** Values to choose from while typing; upper and lower case do not matter. */
  readonly suggestions?: readonly string[];
  /** The label for no choice, if it is not "All". */
  readonly noneLabel?: string;
  /** Few people need it, so it is among "More filters". */
  readonly isRare?: boolean;
};

/** The filters of a listing, which apply immediately. If the service rejects a filter, the error is shown next to its field. */
export function FilterFields<N extends string>(props: {
  fields: readonly Filter<N>[];
  filters: Partial<Record<N, string>>;
  change: (changes: Partial<Record<N, string>>) => void;
  error?: unknown;
}) {
  const t = texts();
  const { filters, change, error } = props;
  const set = props.fields.filter(({ name }) => filters[name]);
  const textOf = ({ name, value = filters[name]!, options, records, type }: Filter<N>): string =>
    options?.find((option) => option.value === value)?.label ?? records?.nameOf.get(value) ?? (type === 'date' ? formatDate(value) : value);
  const without = (fields: readonly Filter<N>[]) =>
    change(Object.fromEntries(fields.map(({ name }) => [name, ''])) as Partial<Record<N, string>>);
  const errorOf = (name: N) => (error instanceof Refusal ? error.byField.get(name) : undefined);
  const rare = props.fields.filter(({ isRare }) => isRare);
  // They open if one of them is set or refused, and close only if the person closes them: one that is just edited must not disappear.
  const isOpen = useRef(false);
  isOpen.current ||= rare.some(({ name }) => filters[name] || errorOf(name));
  const fieldFor = ({ options, records, suggestions, noneLabel = t.all, isRare: _isRare, ...given }: Filter<N>) => {
    const field = {
      value: filters[given.name] ?? '',
      error: errorOf(given.name),
      onChange: (value: string) => change({ [given.name]: value } as Partial<Record<N, string>>),
      ...given,
    };
    if (records) return <RecordChoice key={field.name} {...field} records={records} noneLabel={noneLabel} />;
    if (options) return <SelectField key={field.name} {...field} options={[{ value: '', label: noneLabel }, ...options]} />;
    if (suggestions) return <SuggestedFilter key={field.name} {...field} suggestions={suggestions} />;
    return <TextFilter key={field.name} {...field} />;
  };
  return (
    <section class="filter-fields" aria-label={t.filters}>
      {props.fields.filter(({ isRare }) => !isRare).map(fieldFor)}
      {rare.length > 0 && (
        <details open={isOpen.current}>
          <summary>{t.more}</summary>
          <div class="filter-fields">{rare.map(fieldFor)}</div>
        </details>
      )}
      {set.length > 0 && (
        <div class="actions">
          {set.map((field) => (
            <button key={field.name} type="button" class="small chip" onClick={() => without([field])}>
              <bdi>{`${field.label}: ${textOf(field)}`}</bdi>
              <span aria-hidden="true">×</span>
              <span class="visually-hidden">{t.remove}</span>
            </button>
          ))}
          <Button label={t.removeAll} look="small quiet" onClick={() => without(set)} />
        </div>
      )}
    </section>
  );
}

/** A text filter that knows the usual values. */
function SuggestedFilter({ suggestions, onChange, ...field }: TextProps & { suggestions: readonly string[] }) {
  const id = useId();
  const spelled = (text: string): string => suggestions.find((one) => one.toLowerCase() === text.toLowerCase()) ?? text;
  return (
    <>
      <TextFilter {...field} list={id} onChange={(text) => onChange(spelled(text))} />
      <datalist id={id}>
        {suggestions.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </>
  );
}
