import type { ComponentChildren } from 'preact';
import type { Listing } from '../../hooks/use-listing.js';
import { type Column, ListingTable } from '../../ui/table.js';
import { When } from '../../ui/when.js';
import type { RecordedEvent } from '@fibre/client';
import { texts } from './entity-texts.js';
import type { Records } from '../../ui/form/record-choice.js';
import { type Known, knownAt, useHistories } from './last-known.js';
import { ownZone } from './local-time.js';
import { Articles, EntityLink, IspName, Moment, namesOf } from './parts.js';

/** Events of one entity, or of many entities, each with a link to its entity. */
export function EventTable(props: { listing: Listing<RecordedEvent>; isps: Records; ofMany?: boolean; empty?: string }) {
  const t = texts();
  const { isps } = props;
  const histories = useHistories(
    props.ofMany ? props.listing.items.filter((event) => !isNamed(event)).map(({ entity_id }) => entity_id) : [],
  );
  const knownOf = ({ entity_id, event_at, sys_attributes }: RecordedEvent): Known => ({
    ...knownAt(histories.get(entity_id), event_at),
    ...sys_attributes,
  });
  const columns: Column<RecordedEvent>[] = [
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
          { title: t.line, cell: (event: RecordedEvent) => <LineName of={event} known={knownOf(event)} /> },
          { title: t.isp, cell: (event: RecordedEvent) => <Isp isps={isps} partner_id={knownOf(event).partner_id} /> },
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

/** Whether an event says itself whose line it is, and which. */
const isNamed = ({ sys_attributes = {} }: RecordedEvent): boolean =>
  sys_attributes.partner_id !== undefined && (sys_attributes.option82 ?? sys_attributes.partner_reference) !== undefined;

/** @param isps absent if the table names the line and its ISP in columns of their own */
const linesOf = ({ sys_attributes }: RecordedEvent, isps?: Records): ComponentChildren[] => {
  const { partner_id, article_codes, option82, partner_reference } = sys_attributes ?? {};
  const articles = article_codes && <Articles codes={article_codes} />;
  return isps ? [partner_id && <IspName isps={isps} partner_id={partner_id} />, articles, option82, partner_reference] : [articles];
};

/** What people call the line of an event, with the end of its id. */
function LineName({ of: { entity_id }, known }: { of: RecordedEvent; known: Known }) {
  return <EntityLink entity_id={entity_id} names={namesOf(known)} />;
}

const Isp = ({ isps, partner_id }: { isps: Records; partner_id: string | undefined }) =>
  partner_id === undefined ? null : <IspName isps={isps} partner_id={partner_id} />;

const ownLinesOf = ({ usr_reference, comment, usr_attributes }: RecordedEvent): ComponentChildren[] => [
  usr_reference,
  comment,
  usr_attributes && <code>{JSON.stringify(usr_attributes)}</code>,
];
