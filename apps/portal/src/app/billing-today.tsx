import { page } from '../configuration.js';
import { useLoad } from '../hooks/use-load.js';
import { closingText } from '../pages/billing/parts.js';
import { type Ledger, useLedger } from '../pages/billing/ledger.js';
import { type MonthRow, rowsOf, usePending } from '../pages/billing/months.js';
import { textOf, titleOf } from '../pages/billing/window.js';
import { defineTexts, formatTotal } from '../texts.js';
import { Section } from '../ui/page.js';
import { NameLink } from '../ui/table.js';

const texts = defineTexts({
  title: ['To invoice', 'Zu verrechnen'],
  notClosed: ['not closed', 'nicht abgeschlossen'],
  corrections: [
    (count: string, isOne: boolean) => `${count} ${isOne ? 'line' : 'lines'} to correct`,
    (count, isOne) => `${count} ${isOne ? 'Anschluss' : 'Anschlüsse'} zu korrigieren`,
  ],
});

/** How many past months are looked at: older ones are invoiced long since. */
const MONTHS = 3;

/** The last months that nobody has closed, and those in which something has changed since; nothing if there is nothing to do. */
export default function BillingToday() {
  const ledger = useLedger();
  const { data: closings } = useLoad(ledger.closings, '');
  return closings ? (
    <Months ledger={ledger} rows={rowsOf(closings, MONTHS + 1).filter(({ window }) => Date.parse(window.to) <= Date.now())} />
  ) : null;
}

function Months({ ledger, rows }: { ledger: Ledger; rows: readonly MonthRow[] }) {
  const t = texts();
  const { counts } = usePending(ledger, rows);
  // Months from before the first closing are hardly forgotten.
  const first = rows.findLastIndex(({ last }) => last.length > 0);
  const open = rows.filter(({ last }, index) => last.length === 0 && (first < 0 ? index === 0 : index < first));
  const changed = rows.flatMap(({ window, last }) =>
    last.flatMap((closing) => {
      const count = counts.get(closing.closing_id) ?? 0;
      return count > 0 ? [{ window, closing, count }] : [];
    }),
  );
  if (open.length + changed.length === 0) return null;
  return (
    <Section title={t.title}>
      <ul class="lines">
        {open.map(({ window }) => (
          <li key={window.from}>
            <NameLink to={pathOf(window)} name={titleOf(window)} />
            <span class="fine">{t.notClosed}</span>
          </li>
        ))}
        {changed.map(({ window, closing, count }) => (
          <li key={closing.closing_id}>
            <span>
              <NameLink to={pathOf(window)} name={titleOf(window)} />
              {closing.party !== undefined && <span class="fine below">{closingText(ledger, closing)}</span>}
            </span>
            <a href={page(pathOf(window))}>{t.corrections(formatTotal(count), count === 1)}</a>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const pathOf = (window: MonthRow['window']): string => `billing?period=${encodeURIComponent(textOf(window))}`;
