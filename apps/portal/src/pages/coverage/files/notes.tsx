import { formatDate, formatNumber } from '../../../texts.js';
import { Button } from '../../../ui/button.js';
import { texts } from './files-texts.js';
import { linesInWords } from './lines-in-words.js';
import { type Choices, type Mapped, placeOfCell } from './table/mapped.js';
import type { Source } from './table/source.js';

/** What the portal does with a file by itself, and the rows that lie far from all others. */
export function Notes({ source, table, onCorrect }: { source: Source; table: Mapped; onCorrect: (cells: Choices['cells']) => void }) {
  const t = texts();
  const { far, empty, sums, date } = table;
  const skipped = [empty > 0 && t.emptyRows(empty), sums.length > 0 && t.sumRows(sums.length, linesInWords(sums))].filter(Boolean);
  const notes = [
    source.reread !== undefined && t.reread(source.reread),
    date && t.dateRead(date[0], formatDate(date[1])),
    skipped.length > 0 && t.skipped(skipped.join(', ')),
  ].filter((note) => note !== false && note !== undefined);
  const swapped = far.filter(({ isSwapped }) => isSwapped);
  return (
    <>
      {notes.length > 0 && (
        <ul class="notice">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {far.length > 0 && (
        <div class="failure" role="status">
          <p>
            <strong>{t.far(far.length, formatNumber(far.length))}</strong>
          </p>
          <p>{linesInWords(far.map(({ line }) => line))}</p>
          {swapped.length > 0 && (
            <div class="actions">
              <span>{t.looksSwapped(swapped.length)}</span>
              <Button
                label={t.swap(swapped.length)}
                look="small"
                onClick={() =>
                  onCorrect(
                    exchanged(
                      table,
                      swapped.map(({ line }) => line),
                    ),
                  )
                }
              />
            </div>
          )}
        </div>
      )}
    </>
  );
}

/** The cells of these rows with latitude and longitude exchanged. */
function exchanged({ rows, indexOf }: Mapped, lines: readonly number[]): Choices['cells'] {
  const [latitude, longitude, center] = [indexOf('latitude'), indexOf('longitude'), indexOf('center')];
  const changed = rows.filter(({ line }) => lines.includes(line));
  return Object.fromEntries(
    changed.flatMap(({ line, cells }) => {
      if (center >= 0) return [[placeOfCell(line, center), (cells[center] ?? '').split(',').reverse().join(', ').trim()]];
      return [
        [placeOfCell(line, latitude), cells[longitude] ?? ''],
        [placeOfCell(line, longitude), cells[latitude] ?? ''],
      ];
    }),
  );
}
