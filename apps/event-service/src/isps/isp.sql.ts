import type { Listing, Statement } from '@fibre/database';
import { eventAtText } from '../events/event.response.js';
import type { IspFields, IspKey } from './isp.js';
import { ISP_JSON, ISP_MEMBERS } from './isp.response.js';

const keyValues = ({ tenant, namespaceId, partnerId }: IspKey): unknown[] => [tenant, namespaceId, partnerId];
const fieldValues = ({ name, email, comment }: IspFields): unknown[] => [name, email, comment];

const OF_KEY = 'i.tenant = $1 and i.namespace_id = $2 and i.partner_id = $3';
const FIELDS = '(i.name, i.email, i.comment)';
const SENT = '($4::text, $5::text, $6::text)';
const WRITTEN = `select i.version, ${ISP_JSON} as json from written i`;

/** Registers an ISP: `version`, `json`. */
export const insertIsp = (key: IspKey, fields: IspFields, now: Date): Statement => ({
  name: 'isps-insert',
  text: `
    with written as (
      insert into isp as i (tenant, namespace_id, partner_id, name, email, comment, version, created_at, modified_at)
      values ($1, $2, $3, $4, $5, $6, 1, $7, $7)
      returning i.*
    )
    ${WRITTEN}`,
  values: [...keyValues(key), ...fieldValues(fields), now],
});

/**
 * Replaces what is said of an ISP, if it is something else and the ISP is in one of these versions, in any without them: `version`, `json`.
 * `modified_at` moves even within a millisecond, and whatever the clocks of the replicas say.
 */
export const replaceIsp = (key: IspKey, fields: IspFields, versions: readonly number[] | undefined, now: Date): Statement => ({
  name: 'isps-replace',
  text: `
    with written as (
      update isp i
      set name = $4, email = $5, comment = $6, version = i.version + 1,
        modified_at = greatest($7::timestamptz, (i.modified_at at time zone 'UTC' + interval '1 millisecond') at time zone 'UTC')
      where ${OF_KEY} and ${FIELDS} is distinct from ${SENT} and ($8::int[] is null or i.version = any($8::int[]))
      returning i.*
    )
    ${WRITTEN}`,
  values: [...keyValues(key), ...fieldValues(fields), now, versions ?? null],
});

/** One ISP: `version`, `json`. */
export const selectIsp = (key: IspKey): Statement => ({
  name: 'isps-by-id',
  text: `select i.version, ${ISP_JSON} as json from isp i where ${OF_KEY}`,
  values: keyValues(key),
});

/** One ISP, beside what a client says of it: `version`, `json`, `is_same`. */
export const compareIsp = (key: IspKey, fields: IspFields): Statement => ({
  name: 'isps-compare',
  text: `select i.version, ${ISP_JSON} as json, ${FIELDS} is not distinct from ${SENT} as is_same from isp i where ${OF_KEY}`,
  values: [...keyValues(key), ...fieldValues(fields)],
});

/** Who has a name: `partner_id`, or no row. */
export const findByName = ({ tenant, namespaceId }: Omit<IspKey, 'partnerId'>, name: string): Statement => ({
  name: 'isps-by-name',
  text: `select i.partner_id from isp i where i.tenant = $1 and i.namespace_id = $2 and i.name = $3`,
  values: [tenant, namespaceId, name],
});

/** `version`, once all that add an event of the ISP are done, and nobody can begin to: `appendActivation` has a lock on the same row. */
export const lockIsp = (key: IspKey): Statement => ({
  name: 'isps-lock',
  text: `select i.version from isp i where ${OF_KEY} for update`,
  values: keyValues(key),
});

const PARTNER = `(e.sys_attributes->>'partner_id')::uuid`;

/**
 * Some event that names the ISP, or if there is none one that names the next: `event_id`, `event_type`, `event_at`, `partner_id`, or no row.
 *
 * Asked for the ISP alone, PostgreSQL may think that one event among so many is found soon without the index, and then reads them all for
 * an ISP that has none. In this order only the index has them.
 */
export const findEventOfIsp = (key: IspKey): Statement => ({
  name: 'isps-event-of',
  text: `
    select e.event_id, e.event_type, ${eventAtText('e.event_at')} as event_at, ${PARTNER} as partner_id
    from event e
    where e.tenant = $1 and e.namespace_id = $2 and e.event_type in ('activation', 'notification') and e.sys_attributes is not null
      and ${PARTNER} >= $3::uuid
    order by ${PARTNER} limit 1`,
  values: keyValues(key),
});

export const deleteIsp = (key: IspKey): Statement => ({
  name: 'isps-delete',
  text: `delete from isp i where ${OF_KEY}`,
  values: keyValues(key),
});

/** The listing, by id; of one name when there is one. */
export const ispListing = ({ tenant, namespaceId }: Omit<IspKey, 'partnerId'>, name: string | undefined): Listing => {
  const rows = `from isp i where i.tenant = $1 and i.namespace_id = $2${name === undefined ? '' : ' and i.name = $3'}`;
  return {
    label: 'isps',
    values: [tenant, namespaceId, ...(name === undefined ? [] : [name])],
    records: ({ from, limit }) =>
      `select i.* ${rows} ${from === undefined ? '' : `and i.partner_id >= ${from}`} order by i.partner_id limit ${limit}`,
    rows: `select 1 ${rows}`,
    key: 'partner_id',
    alias: 'i',
    members: ISP_MEMBERS,
  };
};
