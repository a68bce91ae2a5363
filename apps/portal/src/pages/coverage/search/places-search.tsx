import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useApp, useScope } from '../../../session/context.js';
import { defineTexts, formatNumber } from '../../../texts.js';
import { Facts, Section } from '../../../ui/page.js';
import { FileField } from '../files/file-field.js';
import { WhenLoaded } from '../../../ui/when-loaded.js';
import { ExportButtons } from '../../../ui/transfer.js';
import { announce } from '../../../ui/announcements.js';
import { searchFilters } from '../access-node.js';
import { useLoad } from '../../../hooks/use-load.js';
import { useCoverage } from '../coverage-state.js';
import { Columns } from '../files/columns.js';
import { Report } from '../files/import-report.js';
import { type Chosen, chosenFile, isUnclear, PLACE_FIELDS, sentOf, withOwnNames } from './places-file.js';
import { PlacesTable } from './places-table.js';
import { type SearchedRow, searchedRow } from './searched-row.js';

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
  done: [(rows: string, parts: string) => `Of ${rows} addresses: ${parts}`, (rows, parts) => `Von ${rows} Adressen: ${parts}`],
  now: [(count: string) => `${count} can be ordered now`, (count) => `${count} jetzt bestellbar`],
  from: [(count: string) => `${count} from a date`, (count) => `${count} ab einem Termin`],
  planned: [(count: string) => `${count} planned`, (count) => `${count} geplant`],
  terminated: [(count: string) => `${count} terminated`, (count) => `${count} beendet`],
  none: [(count: string) => `${count} nothing found`, (count) => `${count} ohne Treffer`],
  faulty: [(count: string) => `${count} faulty`, (count) => `${count} fehlerhaft`],
  within: [(metres: string) => `Within ${metres} m of a node.`, (metres) => `Höchstens ${metres} m von einem Knoten.`],
  quality: [(quality: string) => `Quality ${quality}`, (quality) => `Qualität ${quality}`],
  atAddress: ['With a node at the address', 'Mit einem Knoten an der Adresse'],
  results: ['the file with the results', 'Datei mit den Ergebnissen'],
});

/** Number of rows between updates of the displayed count. */
const SHOWN_EVERY = 1_000;

/** Shows which addresses in a file can be served, and how well; another radius or filter applies at once. */
export function PlacesSearch({ radius }: { radius: string }) {
  const t = texts();
  const { fibre } = useApp();
  const { filters } = useCoverage();
  const maySearch = useScope('coverage:search');
  const [chosen, setChosen] = useState<Chosen>();
  const [count, setCount] = useState(0);
  // These texts come from the page; the service validates them.
  const query = { search_radius: radius, ...searchFilters(filters) } as object;

  const search = async (signal: AbortSignal): Promise<SearchedRow[] | undefined> => {
    if (!chosen || isUnclear(chosen)) return undefined;
    setCount(0);
    const rows: SearchedRow[] = [];
    const [sent, options] = await sentOf(chosen, signal);
    for await (const row of fibre.coverage.searchMany(sent, query, options)) {
      rows.push(searchedRow(row, rows.length + 1));
      if (rows.length % SHOWN_EVERY === 0) setCount(rows.length);
    }
    announce(summaryOf(rows));
    return rows;
  };
  const save = async (of: Chosen, signal: AbortSignal): Promise<Blob> => {
    const [sent, options] = await sentOf(of, signal);
    const answer = await fibre.coverage.searchFile(sent, query, options);
    return withOwnNames(of, await new Response(answer).blob());
  };
  const loaded = useLoad(search, JSON.stringify([chosen?.id, chosen?.fields, query]));
  return (
    <Section title={t.title}>
      <FileField
        name="places"
        label={t.file}
        hint={t.hint}
        isOff={!maySearch}
        onChoose={(source) => (source ? void chosenFile(source).then(setChosen) : setChosen(undefined))}
      />
      {chosen?.heading && (
        <div class="coverage-panel" role="group" aria-label={t.columns}>
          <h3>{t.columns}</h3>
          <Columns
            all={chosen.heading.columns}
            columns={chosen.heading.columns}
            rows={chosen.preview.filled.filter(({ line }) => line > chosen.heading!.row.line)}
            fields={chosen.fields}
            mayChange
            choices={PLACE_FIELDS}
            none={t.other}
            onChange={(changed) => setChosen({ ...chosen, fields: { ...chosen.fields, ...changed } })}
          />
          {isUnclear(chosen) && <p class="error">{t.columnsHint}</p>}
        </div>
      )}
      {chosen && loaded.isLoading ? (
        <p role="status">{t.searching(formatNumber(count))}</p>
      ) : (
        <WhenLoaded loaded={loaded}>
          {(rows) =>
            chosen && (
              <Result rows={rows} radius={radius} file={chosen.source.file}>
                <ExportButtons
                  name={`covered-${chosen.source.file.name.replace(/\.\w+(\.gz)?$/i, '')}`}
                  what={t.results}
                  formats={[chosen.source.format]}
                  read={(_, { signal }) => save(chosen, signal)}
                />
              </Result>
            )
          }
        </WhenLoaded>
      )}
    </Section>
  );
}

const STATES = ['now', 'from', 'planned', 'terminated', 'none', 'faulty'] as const;

/** How many of the addresses can be served now, later or perhaps. */
function summaryOf(rows: readonly SearchedRow[]): string {
  const t = texts();
  const parts = STATES.map((state) => [state, rows.filter((row) => row.state === state).length] as const)
    // That none can be ordered now is said too.
    .filter(([state, count]) => state === 'now' || count > 0)
    .map(([state, count]) => t[state](formatNumber(count)));
  return t.done(formatNumber(rows.length), parts.join(', '));
}

function Result({
  rows,
  radius,
  file,
  children,
}: {
  rows: readonly SearchedRow[];
  radius: string;
  file: File;
  children: ComponentChildren;
}) {
  const t = texts();
  const found = rows.filter(({ place }) => place);
  const qualities = [...new Set(found.map(({ quality }) => quality))].sort();
  const counts = qualities.map((quality) => {
    const { length } = found.filter((row) => row.quality === quality);
    return [quality === '' ? t.atAddress : t.quality(quality), formatNumber(length)] as const;
  });
  return (
    <Report>
      <p>
        <strong>{summaryOf(rows)}</strong>
      </p>
      <p class="fine">
        {file.name}
        {!qualities.includes('') && ` · ${t.within(formatNumber(Number(radius)))}`}
      </p>
      <Facts class="facts counts" facts={counts} />
      {children}
      <PlacesTable rows={rows} />
    </Report>
  );
}
