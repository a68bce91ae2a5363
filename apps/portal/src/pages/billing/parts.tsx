import { rounded } from '@fibre/client';
import { page } from '../../configuration.js';
import { addressWith } from '../../hooks/use-filters.js';
import { formatMoment, formatNumber } from '../../texts.js';
import { Translated } from '../../ui/translated.js';
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

/** A line of the totals. */
export interface Line {
  readonly party: string;
  readonly article_code: string;
}

/** The line that a URL names, as {@link lineAddress} does. */
export function lineOf(text: string | undefined): Line | undefined {
  const [, party, article_code] = /^([^/]+)\/(.+)$/s.exec(text ?? '') ?? [];
  return party !== undefined && article_code !== undefined ? { party, article_code } : undefined;
}

/** The month's page, with what one of its lines consists of. @param counted what must be counted there */
export const lineAddress = ({ party, article_code }: Line, counted?: string): string =>
  addressWith({ line: `${party}/${article_code}`, counted });

/** An entity, from which a link leads back here. An ISP sees what it is charged for it. @param tenant the operator, if an ISP asks */
export const entityAddress = ({ isps }: Ledger, entity_id: string, tenant: string | undefined): string =>
  isps
    ? page(`entities/${entity_id}?${new URLSearchParams({ billing: location.search.slice(1) })}`)
    : addressWith({ entity: `${tenant}/${entity_id}` });

/** What to check before a closing is invoiced. */
export function Warnings({ warnings }: { warnings: readonly string[] | undefined }) {
  if (!warnings) return null;
  return (
    <div class="notice">
      <strong>{texts().checkFirst}</strong>
      {warnings.map((warning) => (
        <p key={warning}>
          <Translated text={warning} lang="en" />
        </p>
      ))}
    </div>
  );
}
