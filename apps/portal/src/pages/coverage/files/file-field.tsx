import { useState } from 'preact/hooks';
import { defineTexts } from '../../../texts.js';
import { Labelled } from '../../../ui/form/field.js';
import { type Source, sourceOf } from './source.js';

const texts = defineTexts({
  browse: ['Browse …', 'Durchsuchen …'],
  unknown: ['Unknown format: use .csv, .tsv, .geojson or .ndjson.', 'Unbekanntes Format: .csv, .tsv, .geojson oder .ndjson.'],
});

/** A field for choosing a file, or for dropping one on it. `onChoose` gets nothing if the format is unknown. */
export function FileField(props: { name: string; label: string; hint: string; isOff: boolean; onChoose: (source?: Source) => void }) {
  const t = texts();
  const { isOff, onChoose, ...field } = props;
  const [isUnknown, setUnknown] = useState(false);
  const choose = (file: File): void => {
    const source = sourceOf(file);
    setUnknown(!source);
    onChoose(source);
  };
  return (
    <Labelled {...field} error={isUnknown ? { text: t.unknown } : undefined}>
      {(attributes) => (
        // The browser's own button has the browser's language, so the invisible field lies over one in the language of the page.
        <div class="file-field">
          <span aria-hidden="true" class="button" aria-disabled={isOff}>
            {t.browse}
          </span>
          <input
            {...attributes}
            type="file"
            disabled={isOff}
            // Otherwise, the browser does not report a change when the same file is chosen again.
            onClick={({ currentTarget }) => (currentTarget.value = '')}
            onChange={({ currentTarget }) => currentTarget.files?.[0] && choose(currentTarget.files[0])}
          />
        </div>
      )}
    </Labelled>
  );
}
