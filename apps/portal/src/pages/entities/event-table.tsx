import type { ComponentChildren } from 'preact';
import type { Listing } from '../../hooks/use-listing.js';
import { type Column, ListingTable } from '../../ui/table.js';
import { When } from '../../ui/when.js';
import type { RecordedEvent } from '@fibre/client';
import { texts } from './entity-texts.js';
import type { Records } from '../../ui/form/record-choice.js';
import { Articles, EntityLink, IspName, Moment } from './parts.js';

/** Events of one entity, or of many entities, each with a link to its entity. */
export function EventTable(props: { listing: Listing<RecordedEvent>; isps: Records; ofMany?: boolean; empty?: string }) {
  const t = texts();
  const { isps } = props;
  const columns: Column<RecordedEvent>[] = [
    {
      title: t.eventAt,
      cell: ({ event_at, event_timezone }) => (
        <>
          <Moment at={event_at} zone={event_timezone} /> <span class="fine below">{event_timezone}</span>
        </>
      ),
    },
    { title: t.type, cell: ({ event_type }) => <span class="word">{t[event_type]}</span> },
    { title: t.says, cell: (event) => <Lines of={linesOf(event, isps)} /> },
    { title: t.own, cell: (event) => <Lines of={ownLinesOf(event)} /> },
    {
      title: t.recorded,
      cell: ({ created_at, created_by, modified_at, modified_by }) => (
        <>
          <When at={created_at} by={created_by} />
          {modified_at !== created_at && (
            <span class="fine below">
              {' '}
              {t.overwrittenAt} <When at={modified_at} by={modified_by} />
            </span>
          )}
        </>
      ),
    },
    { title: t.id, cell: ({ entity_id, sys_attributes }) => <EntityLink entity_id={entity_id} of={sys_attributes?.partner_reference} /> },
  ];
  return (
    <ListingTable
      listing={props.listing}
      caption={t.events}
      columns={columns.slice(0, props.ofMany ? undefined : -1)}
      keyOf={({ event_id }) => event_id}
      {...(props.empty !== undefined && { empty: props.empty })}
    />
  );
}

/** Shows one value per line; missing values are omitted. */
function Lines({ of: lines }: { of: readonly ComponentChildren[] }) {
  const there = lines.filter(Boolean);
  if (there.length === 0) return null;
  return (
    <ul>
      {there.map((line, index) => (
        <li key={index}>
          <bdi>{line}</bdi>
        </li>
      ))}
    </ul>
  );
}

const linesOf = ({ sys_attributes }: RecordedEvent, isps: Records): ComponentChildren[] => {
  const { partner_id, article_codes, option82, partner_reference } = sys_attributes ?? {};
  return [
    partner_id && <IspName isps={isps} partner_id={partner_id} />,
    article_codes && <Articles codes={article_codes} />,
    option82,
    partner_reference,
  ];
};

const ownLinesOf = ({ usr_reference, comment, usr_attributes }: RecordedEvent): ComponentChildren[] => [
  usr_reference,
  comment,
  usr_attributes && <code>{JSON.stringify(usr_attributes)}</code>,
];
