import { rounded } from '@fibre/client';
import { formatMoment, formatNumber } from '../../texts.js';
import { Said } from '../../ui/said.js';
import { IspName } from '../entities/parts.js';
import type { Closed, Ledger } from './ledger.js';
import { texts } from './texts.js';

/** Days with two decimals, so that the decimal points of a column are below each other. */
export const formatDays = (days: number): string => formatNumber(rounded(days), { minimumFractionDigits: 2 });

/** An ISP by its name, or an operator by its tenant; without an id, all ISPs. */
export function Party({ ledger: { isps }, id }: { ledger: Ledger; id: string | undefined }) {
  if (id === undefined) return <>{texts().allIsps}</>;
  return isps ? <IspName isps={isps} partner_id={id} /> : <bdi>{id}</bdi>;
}

/** The same as text. */
export const partyName = ({ isps }: Ledger, id: string | undefined): string =>
  id === undefined ? texts().allIsps : (isps?.nameOf.get(id) ?? id);

/** A closing in a line. */
export const closingText = (ledger: Ledger, { created_at, party, reference }: Closed): string =>
  [formatMoment(created_at), partyName(ledger, party), reference].filter(Boolean).join(' · ');

/** What to check before a closing is invoiced. */
export function Warnings({ warnings }: { warnings: readonly string[] | undefined }) {
  if (!warnings) return null;
  return (
    <div class="notice">
      <strong>{texts().checkFirst}</strong>
      {warnings.map((warning) => (
        <p key={warning}>
          <Said text={warning} lang="en" />
        </p>
      ))}
    </div>
  );
}
