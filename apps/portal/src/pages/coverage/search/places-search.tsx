import type { PlaceOptions } from '@fibre/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useApp, useScope } from '../../../session/context.js';
import { defineTexts, formatNumber } from '../../../texts.js';
import { Facts, Section } from '../../../ui/page.js';
import { FileField } from '../files/file-field.js';
import { saveFile, TransferNote } from '../../../ui/transfer.js';
import { announce } from '../../../ui/announcements.js';
import { searchFilters } from '../access-node.js';
import { useTransfer } from '../../../hooks/use-action.js';
import { useCoverage } from '../coverage-state.js';
import { Columns } from '../files/columns.js';
import { type Source, textOf } from '../files/source.js';
import { fieldsOf } from '../files/guess.js';
import { Report } from '../files/import-report.js';
import { NO_PREVIEW, type Preview, previewOf } from '../files/preview.js';
import { isChangeable, withColumns } from '../files/table-file.js';
import { PlacesTable } from './places-table.js';
import { type SearchedRow, searchedRow } from './searched-row.js';
import { Button } from '../../../ui/button.js';

const texts = defineTexts({
  title: ['A file of addresses', 'Eine Datei mit Adressen'],
  hint: ['With their coordinates or IDs. Radius and filters apply.', 'Mit Koordinaten oder IDs. Es gelten Umkreis und Filter.'],
  file: ['File of addresses', 'Datei mit Adressen'],
  columns: ['Where are the addresses?', 'Wo liegen die Adressen?'],
  columnsHint: [
    'Choose latitude and longitude, or the center with both, or the address ID.',
    'Wählen Sie Breite und Länge, den Mittelpunkt mit beidem oder die Adress-ID.',
  ],
  other: ['(something else)', '(etwas anderes)'],
  search: ['Search the addresses', 'Adressen suchen'],
  searching: [(rows: string) => `${rows} addresses searched …`, (rows) => `${rows} Adressen geprüft …`],
  done: [
    (covered: string, rows: string) => `${covered} of ${rows} addresses are covered`,
    (covered, rows) => `${covered} von ${rows} Adressen versorgt`,
  ],
  within: [(metres: string) => `Within ${metres} m of a node.`, (metres) => `Höchstens ${metres} m von einem Knoten.`],
  quality: [(quality: string) => `Quality ${quality}`, (quality) => `Qualität ${quality}`],
  atAddress: ['With a node at the address', 'Mit einem Knoten an der Adresse'],
  save: ['Save the file with the results', 'Datei mit den Ergebnissen speichern'],
  saving: ['Preparing the file …', 'Die Datei wird erstellt …'],
});

/** What a column may say about where an address is. */
const PLACE_FIELDS = ['latitude', 'longitude', 'center', 'address_id'] as const;

/** Whether these fields are enough to know where an address is. */
const arePlaces = (fields: readonly string[]): boolean =>
  fields.includes('center') || fields.includes('address_id') || (fields.includes('latitude') && fields.includes('longitude'));

interface Chosen {
  readonly source: Source;
  /** Empty if the portal cannot rename the columns, or need not. */
  readonly preview: Preview;
  /** What each column says about where an address is. */
  readonly fields: Readonly<Record<string, string>>;
}
const isUnclear = ({ preview, fields }: Chosen): boolean => preview.columns.length > 0 && !arePlaces(Object.values(fields));

/** Reads which columns a file has, and guesses which of them say where the addresses are. */
async function chosenFile(source: Source): Promise<Chosen> {
  const preview = isChangeable(source) ? await previewOf(source) : NO_PREVIEW;
  const guesses = fieldsOf(preview.columns, {});
  const fieldOf = (name: string): string => PLACE_FIELDS.find((field) => field === (guesses[name] ?? name)) ?? '';
  const fields = Object.fromEntries(preview.columns.map((name) => [name, fieldOf(name)]));
  return { source, preview: arePlaces(preview.columns) ? NO_PREVIEW : preview, fields };
}

interface Summary {
  readonly rows: readonly SearchedRow[];
  /** The radius of the search. */
  readonly radius: string;
}

/** Number of rows between updates of the displayed count. */
const SHOWN_EVERY = 1_000;

/** Shows which addresses in a file can be served, and how well. */
export function PlacesSearch(props: { radius: string }) {
  const t = texts();
  const { fibre } = useApp();
  const { filters } = useCoverage();
  const maySearch = useScope('coverage:search');
  const transfer = useTransfer();
  const saving = useTransfer();
  const [chosen, setChosen] = useState<Chosen>();
  const [count, setCount] = useState(0);
  const [summary, setSummary] = useState<Summary>();
  const radius = props.radius.trim();
  // These texts come from the page; the service validates them.
  const query = { search_radius: radius, ...searchFilters(filters) } as object;
  const asked = JSON.stringify(query);
  const searched = useRef(asked);

  /** The file with the names of columns that the service knows. */
  const sentOf = async ({ source, preview, fields }: Chosen, signal: AbortSignal): Promise<[Blob, PlaceOptions]> => {
    const { file, format, gzip } = source;
    // The service can only break the connection if it finds bytes that are not UTF-8 after it has begun to answer.
    if (isChangeable(source)) await textOf(source);
    if (preview.columns.length === 0) return [file, { format, gzip, signal }];
    return [await withColumns(source, (column) => fields[column] || column), { format, gzip: false, signal }];
  };
  const search = (next: Chosen): void => {
    searched.current = asked;
    setChosen(next);
    setSummary(undefined);
    setCount(0);
    transfer.forget();
    saving.forget();
    if (isUnclear(next)) return;
    void transfer.run(async (signal) => {
      const rows: SearchedRow[] = [];
      const [sent, options] = await sentOf(next, signal);
      for await (const row of fibre.coverage.searchMany(sent, query, options)) {
        rows.push(searchedRow(row, rows.length + 1));
        if (rows.length % SHOWN_EVERY === 0) setCount(rows.length);
      }
      setSummary({ rows, radius });
      announce(t.done(formatNumber(rows.filter(({ state }) => state === 'covered').length), formatNumber(rows.length)));
    });
  };
  const choose = (source?: Source): void => {
    setChosen(undefined);
    setSummary(undefined);
    transfer.forget();
    if (source) void chosenFile(source).then(search);
  };
  // Another radius or filter applies at once to the file too, after a search that is still running.
  useEffect(() => {
    if (chosen && !transfer.isBusy && searched.current !== asked) search(chosen);
  }, [asked, transfer.isBusy]);
  const save = (of: Chosen): void =>
    void saving.run(async (signal) => {
      const [sent, options] = await sentOf(of, signal);
      const name = `covered-${of.source.file.name.replace(/\.gz$/i, '')}`;
      const found = new File([await new Response(await fibre.coverage.searchFile(sent, query, options)).blob()], name);
      const { columns } = of.preview;
      const back = (column: string): string => columns.find((name) => of.fields[name] === column) ?? column;
      const named = columns.length === 0 ? found : await withColumns({ file: found, format: options.format, gzip: false }, back);
      await saveFile(name, named);
    });
  return (
    <Section title={t.title}>
      <FileField name="places" label={t.file} hint={t.hint} isOff={!maySearch || transfer.isBusy} onChoose={choose} />
      {chosen && chosen.preview.columns.length > 0 && (
        <fieldset class="coverage-panel">
          <legend>{t.columns}</legend>
          <Columns
            {...chosen}
            named={chosen.preview.columns}
            choices={PLACE_FIELDS}
            none={t.other}
            onChange={(changed) => search({ ...chosen, fields: { ...chosen.fields, ...changed } })}
          />
          {isUnclear(chosen) && <p class="error">{t.columnsHint}</p>}
        </fieldset>
      )}
      <TransferNote transfer={transfer}>
        <p role="status">{t.searching(formatNumber(count))}</p>
      </TransferNote>
      <TransferNote transfer={saving}>
        <p role="status">{t.saving}</p>
      </TransferNote>
      {chosen && summary && <Result summary={summary} file={chosen.source.file} onSave={() => save(chosen)} />}
    </Section>
  );
}

function Result({ summary: { rows, radius }, file, onSave }: { summary: Summary; file: File; onSave: () => void }) {
  const t = texts();
  const covered = rows.filter(({ state }) => state === 'covered');
  const qualities = [...new Set(covered.map(({ quality }) => quality))].sort();
  const counts = qualities.map((quality) => {
    const { length } = covered.filter((row) => row.quality === quality);
    return [quality === '' ? t.atAddress : t.quality(quality), formatNumber(length)] as const;
  });
  return (
    <Report>
      <p>
        <strong>{t.done(formatNumber(covered.length), formatNumber(rows.length))}</strong>
      </p>
      <p class="fine">
        {file.name}
        {!qualities.includes('') && ` · ${t.within(formatNumber(Number(radius)))}`}
      </p>
      <Facts class="facts counts" facts={counts} />
      <div class="actions">
        <Button label={t.save} onClick={onSave} />
      </div>
      <PlacesTable rows={rows} />
    </Report>
  );
}
