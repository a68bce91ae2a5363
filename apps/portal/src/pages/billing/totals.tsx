import { stepRows, type Total } from '@fibre/client';
import type { ComponentChildren } from 'preact';
import { listingOf } from '../../hooks/use-listing.js';
import { formatNumber } from '../../texts.js';
import { Section } from '../../ui/page.js';
import { type Column, ListingTable } from '../../ui/table.js';
import { ExportButtons } from '../../ui/transfer.js';
import { billingFile, FORMATS } from './billing-file.js';
import { COUNTED, type Counted } from './counted.js';
import type { Ledger, Recorded, Row } from './ledger.js';
import { formatDays, lineAddress, Party } from './parts.js';
import { texts } from './texts.js';
import { exactly, fileName, instantInName } from './window.js';

/** What is charged by ISP or operator and by article, the instant up to which events are included, and the same as files. */
export function Totals(props: { ledger: Ledger; totals: readonly Row<Total>[]; search: Recorded; children: ComponentChildren }) {
  const t = texts();
  const { ledger, totals, search } = props;
  const instant = exactly(search.recorded_until);
  const name = `${fileName(search)}-recorded-until-${instantInName(instant)}`;
  const of = (total: Row<Total>) => ({ party: total[ledger.party]!, article_code: total.article_code });
  const counted = (name: Counted): Column<Row<Total>> => ({
    title: t[name],
    isNumber: true,
    cell: (total) => {
      const count = formatNumber(total[name]);
      if (total[name] === 0) return count;
      return (
        <a href={lineAddress(of(total), name)} aria-label={`${total.article_code}, ${t[name]}: ${count}`}>
          {count}
        </a>
      );
    },
  });
  const columns: Column<Row<Total>>[] = [
    { title: ledger.isps ? t.isp : t.operator, cell: (total) => <Party ledger={ledger} id={total[ledger.party]} />, sum: () => t.sum },
    {
      title: t.article,
      cell: (total) => (
        <a href={lineAddress(of(total))} class="opens">
          <code>{total.article_code}</code>
        </a>
      ),
    },
    { title: t.entities, isNumber: true, cell: ({ entities }) => formatNumber(entities) },
    {
      title: t.days,
      isNumber: true,
      cell: ({ days }) => formatDays(days),
      sum: (all) => formatDays(all.reduce((sum, { days }) => sum + days, 0)),
    },
    ...COUNTED.map(counted),
  ];
  return (
    <Section title={t.totals} class="section part">
      <ListingTable
        listing={listingOf(totals)}
        caption={t.totals}
        columns={columns}
        keyOf={(total) => `${total[ledger.party]}/${total.article_code}`}
        empty={t.none}
      />
      <p class="fine">{t.countedWhy}</p>
      <p class="fine">
        {t.recordedUntil} <code>{instant}</code>
      </p>
      <div class="actions">
        {props.children}
        <ExportButtons
          what={t.totalsFile}
          name={`totals-${name}`}
          formats={FORMATS}
          read={(format) => billingFile(format, 'totals', ledger, totals, (total) => [total], search)}
        />
        <ExportButtons
          what={t.stepsFile}
          name={`periods-${name}`}
          formats={FORMATS}
          read={(format, options) =>
            format === 'csv' && ledger.stepsAsCsv
              ? ledger.stepsAsCsv(search, options)
              : billingFile(format, 'steps', ledger, ledger.steps(search, options), stepRows, search)
          }
        />
      </div>
    </Section>
  );
}
