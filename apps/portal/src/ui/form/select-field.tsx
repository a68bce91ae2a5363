import { Labelled, type LabelledProps } from './field.js';
import type { FormState, Values } from './use-form.js';

export interface Option {
  readonly value: string;
  readonly label: string;
  readonly lang?: string;
}

/** A choice among a few values. */
export function SelectField(props: LabelledProps & { value: string; options: readonly Option[]; onChange: (value: string) => void }) {
  return (
    <Labelled {...props}>
      {(attributes) => (
        <select {...attributes} value={props.value} onChange={({ currentTarget }) => props.onChange(currentTarget.value)}>
          {props.options.map(({ value, label, lang }) => (
            <option key={value} value={value} lang={lang}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

/** The same in a form. */
export function FormSelect<V extends Values>(
  props: Pick<LabelledProps, 'label' | 'hint'> & { form: FormState<V>; name: keyof V & string; options: readonly Option[] },
) {
  const { form, ...others } = props;
  return (
    <SelectField
      {...others}
      value={form.values[props.name]!}
      error={form.errorOf(props.name)}
      onChange={(value) => form.set(props.name, value)}
    />
  );
}
