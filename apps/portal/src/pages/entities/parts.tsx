import { page } from '../../configuration.js';
import { useApp } from '../../session/context.js';
import { formatMoment, words } from '../../texts.js';
import { CopyButton, CopyId, shortId } from '../../ui/copy-button.js';
import { type Records, useRecords } from '../../ui/form/record-choice.js';
import { type Column, NameLink } from '../../ui/table.js';
import type { Entity } from '@fibre/client';
import type { Charged } from './entity.js';
import { texts } from './entity-texts.js';

export function StateBadge({ state }: { state: Entity['state'] }) {
  return <span class={`badge ${state}`}>{texts()[state]}</span>;
}

/** Whose a line is, and what people call it. */
export interface Known {
  readonly partner_id?: string | undefined;
  readonly option82?: string | undefined;
  readonly partner_reference?: string | undefined;
}

/** Whose the line is, or was when it ended. */
export const knownOf = (entity: Entity): Known => entity.last_subscription ?? entity;

/** What people call a line, the most usual name first: its circuit, and the ISP's reference. */
export const namesOf = ({ option82, partner_reference }: Known): string[] =>
  [option82, partner_reference].filter((name) => name !== undefined && name !== '') as string[];

/** The title of an entity: what people call it or, until that is known, the end of its id. */
export const titleOf = (entity_id: string, entity: Entity | undefined): string =>
  namesOf(entity ? knownOf(entity) : {})[0] ?? `${words().entity} ${shortId(entity_id)}`;

/** Opens the entity of a row by what people call it, or by its id; its id can be copied. */
export function EntityLink({ entity_id, names }: { entity_id: string; names: readonly string[] }) {
  const href = page(`entities/${entity_id}`);
  const [name] = names;
  if (name === undefined) return <CopyId name="entity_id" id={entity_id} of={entity_id} href={href} />;
  return (
    <span class="named">
      <a href={href} class="opens">
        <bdi class="one-line" title={`${name}\n${entity_id}`}>
          {name}
        </bdi>
      </a>
      <CopyButton what="entity_id" value={entity_id} of={name} />
    </span>
  );
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

/** A moment; the `datetime` attribute has the exact value. @param zone time zone, by default the browser's */
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
