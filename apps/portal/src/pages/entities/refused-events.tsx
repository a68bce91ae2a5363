import type { RefusedEvent } from '@fibre/client';
import { type Listing, useListing } from '../../hooks/use-listing.js';
import { Refusal } from '../../refusal.js';
import { useApp } from '../../session/context.js';
import { Reason } from '../../ui/failure.js';
import { Section } from '../../ui/page.js';
import { type Column, ListingTable } from '../../ui/table.js';
import { When } from '../../ui/when.js';
import { texts } from './entity-texts.js';
import { Articles, EntityLink, Moment, namesOf } from './parts.js';

/** What was refused lately, of all entities or of one, the last one first. */
export function useRefusedEvents(entity_id?: string): Listing<RefusedEvent> {
  const { fibre } = useApp();
  return useListing<RefusedEvent>(
    (query, signal) => fibre.events.refused({ ...query, _order: 'desc', ...(entity_id !== undefined && { entity_id }) }, { signal }),
    entity_id,
  );
}

/** The events of an entity that were refused; nothing if there are none. */
export function RefusedEvents({ entity_id }: { entity_id: string }) {
  const t = texts();
  const listing = useRefusedEvents(entity_id);
  if (listing.items.length === 0) return null;
  return (
    <Section title={t.refused} why={t.refusedWhy} class="part">
      <RefusedTable listing={listing} />
    </Section>
  );
}

/** Refused events of one entity, or of many entities, each with a link to its entity. */
export function RefusedTable({ listing, ofMany }: { listing: Listing<RefusedEvent>; ofMany?: boolean }) {
  const t = texts();
  const columns: Column<RefusedEvent>[] = [
    { title: t.refusedAt, cell: ({ refused_at, sent_by }) => <When at={refused_at} by={sent_by} /> },
    ...(ofMany
      ? [
          {
            title: t.line,
            cell: ({ entity_id, sys_attributes = {} }: RefusedEvent) => (
              <EntityLink entity_id={entity_id} names={namesOf(sys_attributes)} />
            ),
          },
        ]
      : []),
    { title: t.type, cell: ({ event_type }) => <span class="word">{t[event_type]}</span> },
    { title: t.eventAt, cell: ({ event_at, event_timezone }) => <Moment at={event_at} zone={event_timezone} /> },
    { title: t.articles, cell: ({ sys_attributes }) => sys_attributes?.article_codes && <Articles codes={sys_attributes.article_codes} /> },
    { title: t.why, cell: ({ problem }) => <Reason of={new Refusal(problem.status, problem)} /> },
  ];
  return (
    <ListingTable listing={listing} caption={t.refused} columns={columns} keyOf={({ refused_id }) => refused_id} empty={t.noneRefused} />
  );
}
