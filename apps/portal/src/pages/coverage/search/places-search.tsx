import { fileFormat, type PlaceOptions } from '@fibre/client';
import { useState } from 'preact/hooks';
import { useApp, useScope } from '../../../session/context.js';
import { defineTexts, formatNumber } from '../../../texts.js';
import { Facts, Section } from '../../../ui/page.js';
import { FileField } from '../../../ui/form/field.js';
import { saveFile, TransferNote } from '../../../ui/transfer.js';
import { announce } from '../../../ui/announcements.js';
import { placeOf, searchFilters } from '../access-node.js';
import { useTransfer } from '../../../hooks/use-action.js';
import { useCoverage } from '../coverage-state.js';
import type { DrawnSearch } from '../map/layers.js';

const texts = defineTexts({
  title: ['A file of addresses', 'Eine Datei mit Adressen'],
  hint: [
    'CSV, TSV, GeoJSON or JSON Lines, optionally compressed, with latitude and longitude, or with address_id instead. The radius and the filters above apply.',
    'CSV, TSV, GeoJSON oder JSON Lines, auch komprimiert, mit latitude und longitude oder statt dessen mit address_id. Es gelten der Umkreis und die Filter oben.',
  ],
  file: ['File of addresses', 'Datei mit Adressen'],
  unknown: ['Unknown format: use .csv, .tsv, .geojson or .ndjson.', 'Unbekanntes Format: .csv, .tsv, .geojson oder .ndjson.'],
  searching: [(rows: string) => `${rows} addresses searched …`, (rows) => `${rows} Adressen geprüft …`],
  done: [
    (covered: string, rows: string) => `${covered} of ${rows} addresses are covered`,
    (covered, rows) => `${covered} von ${rows} Adressen versorgt`,
  ],
  quality: [(quality: string) => `Quality ${quality}`, (quality) => `Qualität ${quality}`],
  atAddress: ['With a node at the address', 'Mit einem Knoten an der Adresse'],
  none: ['Not covered', 'Nicht versorgt'],
  faulty: ['With an error', 'Mit Fehler'],
  save: ['Save the file with the results', 'Datei mit den Ergebnissen speichern'],
  saving: ['Preparing the file …', 'Die Datei wird erstellt …'],
});

interface Summary {
  readonly file: File;
  readonly rows: number;
  readonly covered: number;
  readonly faulty: number;
  /** Number of addresses, keyed by the quality of their nearest node; empty if the file has address ids. */
  readonly qualities: ReadonlyMap<string, number>;
}

/** Number of rows between updates of the displayed count. */
const SHOWN_EVERY = 1_000;

/** Shows which addresses in a file can be served, and how well. */
export function PlacesSearch({ radius, onFound }: { radius: string; onFound: (found: DrawnSearch) => void }) {
  const t = texts();
  const { fibre } = useApp();
  const { filters } = useCoverage();
  const maySearch = useScope('coverage:search');
  const transfer = useTransfer();
  const [summary, setSummary] = useState<Summary>();
  const [isUnknown, setUnknown] = useState(false);
  const [isSaving, setSaving] = useState(false);
  // These texts come from the page; the service validates them.
  const query = { search_radius: radius.trim(), ...searchFilters(filters) } as object;
  const optionsOf = (file: File, signal: AbortSignal): PlaceOptions => {
    const { format, gzip } = fileFormat(file.name);
    return { format: format!, gzip, signal };
  };

  const search = (file: File): void => {
    setSummary(undefined);
    setSaving(false);
    setUnknown(!fileFormat(file.name).format);
    transfer.forget();
    if (!fileFormat(file.name).format) return;
    void transfer.run(async (signal) => {
      const qualities = new Map<string, number>();
      const found: DrawnSearch['found'][number][] = [];
      let [rows, faulty] = [0, 0];
      const summed = (): Summary => ({ file, rows, faulty, covered: found.length, qualities });
      for await (const { results: [nearest] = [], error } of fibre.coverage.searchMany(file, query, optionsOf(file, signal))) {
        rows++;
        if (error !== undefined) faulty++;
        if (nearest) {
          const { quality = '', center } = nearest;
          qualities.set(quality, (qualities.get(quality) ?? 0) + 1);
          found.push({ ...placeOf(center), quality });
        }
        if (rows % SHOWN_EVERY === 0) setSummary(summed());
      }
      setSummary(summed());
      announce(t.done(formatNumber(found.length), formatNumber(rows)));
      if (found.length > 0) onFound({ found });
    });
  };
  const save = ({ file }: Summary): void => {
    setSaving(true);
    void transfer.run(async (signal) => {
      const stream = await fibre.coverage.searchFile(file, query, optionsOf(file, signal));
      saveFile(`covered-${file.name.replace(/\.gz$/i, '')}`, await new Response(stream).blob());
    });
  };

  return (
    <Section title={t.title}>
      <FileField name="places" label={t.file} hint={t.hint} isOff={!maySearch || transfer.isBusy} onFile={search} />
      {isUnknown && <p class="error">{t.unknown}</p>}
      <TransferNote transfer={transfer}>
        <p role="status">{isSaving ? t.saving : t.searching(formatNumber(summary?.rows ?? 0))}</p>
      </TransferNote>
      {summary && !transfer.isBusy && transfer.error === undefined && !transfer.wasCancelled && <Result summary={summary} onSave={save} />}
    </Section>
  );
}

function Result({ summary, onSave }: { summary: Summary; onSave: (summary: Summary) => void }) {
  const t = texts();
  const { rows, covered, faulty, qualities } = summary;
  const counts = [
    ...[...qualities].sort().map(([quality, count]) => [quality === '' ? t.atAddress : t.quality(quality), count] as const),
    [t.none, rows - covered - faulty] as const,
    ...(faulty > 0 ? [[t.faulty, faulty] as const] : []),
  ];
  return (
    <>
      <p>
        <strong class="file-name">{summary.file.name}</strong>
      </p>
      <p>{t.done(formatNumber(covered), formatNumber(rows))}</p>
      <Facts class="counts" facts={counts.map(([name, count]) => [name, formatNumber(count)])} />
      <div class="actions">
        <button type="button" onClick={() => onSave(summary)}>
          {t.save}
        </button>
      </div>
    </>
  );
}
