import { raw, sql } from '@fibre/database';
import type { FindPlace } from '@fibre/server';
import { KEPT, type Kept } from '../timeline/steps.sql.js';
import { inScope } from '../timeline/timeline.sql.js';
import type { Scope } from '../timeline/timeline.js';

/** Kinds of records that a tenant finds. */
export const KINDS = ['isp', 'entity', 'event', 'closing'] as const;

/** The fields by which a tenant finds its records in a namespace. */
export function findPlaces(scope: Scope): FindPlace[] {
  const isOf = inScope(scope);
  const of = (table: string, alias: string) => sql`${raw(`${table} ${alias}`)} where ${isOf(alias)}`;
  const isp = { id: sql`i.partner_id`, kind: sql`'isp'`, label: sql`i.name`, from: of('isp', 'i') };
  // The events have the lines of subscriptions that run and of those that have ended.
  const byLine = (member: Kept): FindPlace => {
    const text = sql`(e.sys_attributes ->> '${raw(member)}')`;
    const from = sql`${of('event', 'e')} and e.event_type <> 'notification'`;
    return { name: `find-${member}`, matched: member, kind: sql`'entity'`, id: sql`e.entity_id`, label: text, text, from };
  };
  return [
    { ...isp, name: 'find-name', matched: 'name', text: sql`i.name`, hasWords: true },
    ...KEPT.map(byLine),
    {
      name: 'find-usr-reference',
      matched: 'usr_reference',
      kind: sql`'entity'`,
      id: sql`e.entity_id`,
      label: sql`e.usr_reference`,
      text: sql`e.usr_reference`,
      from: of('event', 'e'),
    },
    {
      name: 'find-closing',
      matched: 'reference',
      kind: sql`'closing'`,
      id: sql`c.closing_id`,
      label: sql`c.reference`,
      text: sql`c.reference`,
      from: of('closing', 'c'),
    },
    { ...isp, name: 'find-isp', matched: 'partner_id' },
    {
      name: 'find-entity',
      matched: 'entity_id',
      kind: sql`'entity'`,
      id: sql`t.entity_id`,
      label: sql`t.entity_id::text`,
      from: of('timeline', 't'),
    },
    {
      name: 'find-event',
      matched: 'event_id',
      kind: sql`'event'`,
      id: sql`e.event_id`,
      label: sql`e.entity_id::text`,
      from: of('event', 'e'),
    },
  ];
}
