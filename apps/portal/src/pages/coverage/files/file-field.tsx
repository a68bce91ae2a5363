import { useRef, useState } from 'preact/hooks';
import { defineTexts } from '../../../texts.js';
import { Failure } from '../../../ui/failure.js';
import { Labelled } from '../../../ui/form/field.js';
import { type Source, sourceOf } from './table/source.js';

const texts = defineTexts({
  browse: ['Browse …', 'Durchsuchen …'],
  unknown: ['Unknown format: use .xlsx, .csv, .tsv, .geojson or .ndjson.', 'Unbekanntes Format: .xlsx, .csv, .tsv, .geojson oder .ndjson.'],
});

/** A field for choosing a file, or for dropping one on it. `onChoose` gets nothing if the file cannot be read. */
export function FileField(props: { name: string; label: string; hint: string; isOff: boolean; onChoose: (source?: Source) => void }) {
  const t = texts();
  const { isOff, onChoose, ...field } = props;
  const [isUnknown, setUnknown] = useState(false);
  const [error, setError] = useState<unknown>();
  const latest = useRef<File>(undefined);
  const choose = async (file: File): Promise<void> => {
    latest.current = file;
    let source: Source | undefined;
    let fault: unknown;
    try {
      source = await sourceOf(file);
    } catch (error) {
      fault = error;
    }
    // Another file was chosen while this one was read.
    if (latest.current !== file) return;
    setUnknown(!source && fault === undefined);
    setError(fault);
    onChoose(source);
  };
  return (
    <>
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
              onChange={({ currentTarget }) => currentTarget.files?.[0] && void choose(currentTarget.files[0])}
            />
          </div>
        )}
      </Labelled>
      {error !== undefined && <Failure error={error} takesFocus />}
    </>
  );
}
