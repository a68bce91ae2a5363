import type { TrendMonth } from '@fibre/client';
import { defineTexts, formatNumber, formatTick } from '../texts.js';

const texts = defineTexts({
  month: ['Month', 'Monat'],
  activations: ['Activations', 'Aktivierungen'],
  deactivations: ['Deactivations', 'Deaktivierungen'],
  activeAtEnd: ['Active at its end', 'Aktiv am Ende'],
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
      <table class="visually-hidden">
        <caption>{label}</caption>
        <thead>
          <tr>
            {[t.month, t.activations, t.deactivations, t.activeAtEnd].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {months.map(({ month, activations, deactivations, active }) => (
            <tr key={month}>
              <th scope="row">{formatTick(at(month), 'wholeMonth')}</th>
              {[activations, deactivations, active].map((count, index) => (
                <td key={index}>{formatNumber(count)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
