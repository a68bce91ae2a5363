import { page } from '../../configuration.js';
import { useApp } from '../../session/context.js';
import { formatMoment } from '../../texts.js';
import { CopyId } from '../../ui/copy-button.js';
import { type Records, useRecords } from '../../ui/form/record-choice.js';
import { type Column, NameLink } from '../../ui/table.js';
import type { Entity } from '@fibre/client';
import type { Charged } from './entity.js';
import { texts } from './entity-texts.js';

export function StateBadge({ state }: { state: Entity['state'] }) {
  return <span class={`badge ${state}`}>{texts()[state]}</span>;
}

/** Opens the entity of a row. @param of what people call it, if it has a reference */
export function EntityLink({ entity_id, of = entity_id }: { entity_id: string; of?: string | undefined }) {
  return <CopyId name="entity_id" id={entity_id} of={of} href={page(`entities/${entity_id}`)} />;
}

export function Articles({ codes }: { codes: readonly string[] }) {
  return (
    <span class="articles">
      {codes.map((code, index) => (
        <code key={index}>{code}</code>
      ))}
    </span>
  );
}

/** A moment, shown to the second; the `datetime` attribute has the exact value. @param zone time zone, by default the browser's */
export function Moment({ at, zone }: { at: string; zone?: string }) {
  return <time dateTime={at}>{formatMoment(at, zone)}</time>;
}

/** The registry of ISPs, to choose from and to look up names. */
export function useIsps(): Records {
  const { isps } = useApp().fibre;
  return useRecords('partner_id', 'events:read', (query, options) => isps.list(query, options));
}

/** Shows an ISP's name if it is registered, otherwise its id. */
export function IspName({ isps, partner_id }: { isps: Records; partner_id: string }) {
  const name = isps.nameOf.get(partner_id);
  // This placeholder is as tall as a name, so that the list does not jump when the names have been loaded.
  if (isps.isLoading) return <>…</>;
  return name === undefined ? <code>{partner_id}</code> : <NameLink to={`isps/${partner_id}`} name={name} />;
}

/** What is charged, from when to when. */
export function chargeColumns(isps: Records): Column<Charged>[] {
  const t = texts();
  return [
    { title: t.from, cell: ({ from }) => <Moment at={from} /> },
    { title: t.to, cell: ({ to }) => (to === undefined ? t.runs : <Moment at={to} />) },
    { title: t.isp, cell: ({ partner_id }) => <IspName isps={isps} partner_id={partner_id} /> },
    { title: t.articles, cell: ({ article_codes }) => <Articles codes={article_codes} /> },
  ];
}
