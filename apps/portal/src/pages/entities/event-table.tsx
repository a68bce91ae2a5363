import type { ComponentChildren } from 'preact';
import type { Listing } from '../../hooks/use-listing.js';
import { type Column, ListingTable } from '../../ui/table.js';
import { When } from '../../ui/when.js';
import type { ListedEvent, RecordedEvent } from '@fibre/client';
import { texts } from './entity-texts.js';
import type { Records } from '../../ui/form/record-choice.js';
import { ownZone } from './local-time.js';
import { Articles, EntityLink, IspName, type Known, Moment, namesOf } from './parts.js';

/** Events of one entity, or of many entities, each with a link to its entity: a list with subscriptions. */
export function EventTable(props: { listing: Listing<ListedEvent>; isps: Records; ofMany?: boolean; empty?: string }) {
  const t = texts();
  const { isps } = props;
  const columns: Column<ListedEvent>[] = [
    {
      title: t.eventAt,
      cell: ({ event_at, event_timezone }) => (
        <>
          <Moment at={event_at} zone={event_timezone} />
          {event_timezone !== ownZone() && <span class="fine below"> {event_timezone}</span>}
        </>
      ),
    },
    { title: t.type, cell: ({ event_type }) => <span class="word">{t[event_type]}</span> },
    ...(props.ofMany
      ? [
          { title: t.line, cell: (event: ListedEvent) => <EntityLink entity_id={event.entity_id} names={namesOf(knownOf(event))} /> },
          { title: t.isp, cell: (event: ListedEvent) => <Isp isps={isps} partner_id={knownOf(event).partner_id} /> },
        ]
      : []),
    { title: t.says, cell: (event) => <Lines of={linesOf(event, props.ofMany ? undefined : isps)} /> },
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
  ];
  return (
    <ListingTable
      listing={props.listing}
      caption={t.events}
      columns={columns}
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

/** Whose the line was; without a subscription, a notification may say it itself. */
const knownOf = ({ subscription, sys_attributes = {} }: ListedEvent): Known => subscription ?? sys_attributes;

/** @param isps absent if the table names the line and its ISP in columns of their own */
const linesOf = ({ sys_attributes }: RecordedEvent, isps?: Records): ComponentChildren[] => {
  const { partner_id, article_codes, option82, partner_reference } = sys_attributes ?? {};
  const articles = article_codes && <Articles codes={article_codes} />;
  return isps ? [partner_id && <IspName isps={isps} partner_id={partner_id} />, articles, option82, partner_reference] : [articles];
};

const Isp = ({ isps, partner_id }: { isps: Records; partner_id: string | undefined }) =>
  partner_id === undefined ? null : <IspName isps={isps} partner_id={partner_id} />;

const ownLinesOf = ({ usr_reference, comment, usr_attributes }: RecordedEvent): ComponentChildren[] => [
  usr_reference,
  comment,
  usr_attributes && <code>{JSON.stringify(usr_attributes)}</code>,
];
