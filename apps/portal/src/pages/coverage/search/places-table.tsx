import { useEffect, useState } from 'preact/hooks';
import { listingOf } from '../../../hooks/use-listing.js';
import { defineTexts, formatDate, formatNumber } from '../../../texts.js';
import { Translated } from '../../../ui/translated.js';
import { ListingTable } from '../../../ui/table.js';
import { useCoverage } from '../coverage-state.js';
import { qualityLook } from '../map/map-legend.js';
import { texts as searchTexts } from './search-texts.js';
import { Stage } from '../filters-panel.js';
import { promiseOf } from './offer.js';
import type { SearchedRow } from './searched-row.js';
import { Choices } from '../../../ui/button.js';

const texts = defineTexts({
  caption: ['The addresses of the file', 'Die Adressen der Datei'],
  show: ['Show', 'Anzeigen'],
  now: ['Now', 'Jetzt'],
  from: ['From a date', 'Ab Termin'],
  planned: ['Planned', 'Geplant'],
  terminated: ['Terminated', 'Beendet'],
  none: ['Nothing found', 'Ohne Treffer'],
  faulty: ['Faulty', 'Fehlerhaft'],
  empty: ['No addresses.', 'Keine Adressen.'],
  address: ['Address', 'Adresse'],
  result: ['Result', 'Ergebnis'],
  map: ['Map', 'Karte'],
  row: [(row: string) => `Row ${row}`, (row) => `Zeile ${row}`],
  showOnMap: ['Show', 'Zeigen'],
  atAddress: ['at the address', 'an der Adresse'],
});

const CHOICES = ['all', 'now', 'from', 'planned', 'terminated', 'none', 'faulty'] as const;

/** The rows of a file of addresses, by what was found; the map shows the nodes. */
export function PlacesTable({ rows: all }: { rows: readonly SearchedRow[] }) {
  const t = texts();
  const { map, draw } = useCoverage();
  const [choice, setChoice] = useState<(typeof CHOICES)[number]>('all');
  const of = (name: (typeof CHOICES)[number]) => all.filter(({ state }) => name === 'all' || state === name);
  const rows = of(choice);
  useEffect(() => {
    draw({
      found: rows.flatMap(({ place, quality }) => (place ? [{ ...place, quality }] : [])),
      missed: rows.flatMap(({ state, own }) => (state === 'none' && own ? [own] : [])),
    });
  }, [choice, all]);
  const nameOf = ({ label, row }: SearchedRow): string => label || t.row(formatNumber(row));
  return (
    <>
      <Choices
        label={t.show}
        // Terminated nodes are only found by who asks for them.
        names={CHOICES.filter((name) => name !== 'terminated' || of(name).length > 0)}
        chosen={choice}
        labelOf={(name) => [t[name], <span class="fine">{formatNumber(of(name).length)}</span>]}
        onChoose={setChoice}
      />
      <ListingTable
        key={choice}
        listing={listingOf(rows)}
        caption={t.caption}
        keyOf={({ row }) => String(row)}
        empty={t.empty}
        columns={[
          { title: t.address, cell: (row) => <bdi>{nameOf(row)}</bdi> },
          { title: t.result, cell: (row) => <Found row={row} /> },
          {
            title: t.map,
            cell: (row) =>
              row.place && (
                <button type="button" class="small" onClick={() => map.current?.showPlace(row.place!)}>
                  {t.showOnMap}
                  <span class="visually-hidden"> {nameOf(row)}</span>
                </button>
              ),
          },
        ]}
      />
    </>
  );
}

function Found({ row: { state, quality, distance, tenant, error, token, address, available_from } }: { row: SearchedRow }) {
  const t = texts();
  if (error !== undefined) return <Translated text={error} lang="en" />;
  if (state === 'none') return <span class="fine">{t.none}</span>;
  const promise = state === 'faulty' || state === 'terminated' ? undefined : promiseOf({ offer: state, available_from });
  const found = (
    <span class="actions">
      {quality !== '' && <span {...qualityLook(quality)}>{quality}</span>}
      <span>
        {distance === undefined ? t.atAddress : `${formatNumber(Math.round(distance))} m`} <span class="fine">{tenant}</span>
      </span>
    </span>
  );
  return (
    <>
      {found}
      {address !== undefined && (
        <span class="below">
          <bdi>{address}</bdi>
        </span>
      )}
      <span class="below">{promise}</span>
      {token !== undefined && (
        <span class="fine below">
          <Stage token={token} />
          {available_from !== undefined && ` · ${searchTexts().from(formatDate(available_from))}`}
        </span>
      )}
    </>
  );
}
