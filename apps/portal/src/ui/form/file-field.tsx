import { Labelled } from './field.js';

/** Chooses a file; one can also be dropped on it. */
export function FileField(props: { name: string; label: string; hint: string; isOff: boolean; onFile: (file: File) => void }) {
  return (
    <Labelled name={props.name} label={props.label} hint={props.hint}>
      {(attributes) => (
        <input
          {...attributes}
          type="file"
          disabled={props.isOff}
          // Otherwise the browser does not report choosing the same file again.
          onClick={({ currentTarget }) => (currentTarget.value = '')}
          onChange={({ currentTarget }) => currentTarget.files?.[0] && props.onFile(currentTarget.files[0])}
        />
      )}
    </Labelled>
  );
}
