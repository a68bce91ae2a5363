import { Labelled, type LabelledProps } from './field.js';

/** A choice among a few values. */
export function SelectField(
  props: LabelledProps & {
    value: string;
    options: readonly { readonly value: string; readonly label: string }[];
    onChange: (value: string) => void;
  },
) {
  return (
    <Labelled {...props}>
      {(attributes) => (
        <select {...attributes} value={props.value} onChange={({ currentTarget }) => props.onChange(currentTarget.value)}>
          {props.options.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}
