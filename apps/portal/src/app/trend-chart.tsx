import type { TrendMonth } from '@fibre/client';
import { listingOf } from '../hooks/use-listing.js';
import { defineTexts, formatNumber, formatTick } from '../texts.js';
import { ListingTable } from '../ui/table.js';

const texts = defineTexts({
  month: ['Month', 'Monat'],
  activations: ['Activations', 'Aktivierungen'],
  deactivations: ['Deactivations', 'Deaktivierungen'],
  active: ['Active at its end', 'Aktiv am Ende'],
});

const KINDS = ['activations', 'deactivations'] as const;
const [HEIGHT, MONTH, BAR, GAP] = [100, 40, 14, 2];

/** Activations and deactivations of each month as bars, and as a table for screen readers. */
export function TrendChart({ months, label }: { months: readonly TrendMonth[]; label: string }) {
  const t = texts();
  const most = Math.max(1, ...months.flatMap((month) => KINDS.map((kind) => month[kind])));
  const at = (month: string): Date => new Date(`${month}-15T12:00:00`);
  return (
    <figure class="trend">
      <svg viewBox={`0 0 ${months.length * MONTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {months.map(({ month, ...counts }, index) =>
          KINDS.map((kind, side) => {
            const height = (counts[kind] / most) * HEIGHT;
            const x = index * MONTH + MONTH / 2 - BAR - GAP / 2 + side * (BAR + GAP);
            return (
              <rect key={month + kind} class={kind} x={x} y={HEIGHT - height} width={BAR} height={height}>
                <title>{`${formatTick(at(month), 'month')}: ${formatNumber(counts[kind])} ${t[kind]}`}</title>
              </rect>
            );
          }),
        )}
      </svg>
      <div class="months" aria-hidden="true">
        {months.map(({ month }) => (
          <span key={month}>{formatTick(at(month), 'shortMonth').slice(0, 3)}</span>
        ))}
      </div>
      <figcaption class="row fine" aria-hidden="true">
        {KINDS.map((kind) => (
          <span key={kind}>
            <i class={kind} />
            {t[kind]}: {formatNumber(months.reduce((sum, month) => sum + month[kind], 0))}
          </span>
        ))}
      </figcaption>
      <div class="visually-hidden">
        <ListingTable
          listing={listingOf(months)}
          caption={label}
          columns={[
            { title: t.month, cell: ({ month }) => formatTick(at(month), 'wholeMonth') },
            ...[...KINDS, 'active' as const].map((name) => ({ title: t[name], cell: (one: TrendMonth) => formatNumber(one[name]) })),
          ]}
          keyOf={({ month }) => month}
        />
      </div>
    </figure>
  );
}
