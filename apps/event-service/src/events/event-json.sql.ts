import { jsonObjectText, type JsonMember, timestampText } from '@fibre/database';
import { eventAtText } from '../timeline/timeline.sql.js';
import { USER_ATTRIBUTE_NAMES, USER_ATTRIBUTES, type UserAttribute } from './event.js';

/** SQL expression for a user attribute as text; `e` is the table. */
export const userAttributeText = (name: UserAttribute): string => `e.${name}${USER_ATTRIBUTES[name] === 'json' ? '::text' : ''}`;

/** The members of an `EventResponse` in SQL; `e` is the table. */
export const EVENT_MEMBERS: readonly JsonMember[] = [
  { name: 'event_id', sql: 'e.event_id', as: 'plain' },
  { name: 'entity_id', sql: 'e.entity_id', as: 'plain' },
  { name: 'event_type', sql: 'e.event_type', as: 'plain' },
  { name: 'event_at', sql: eventAtText('e.event_at'), as: 'plain' },
  { name: 'event_timezone', sql: 'e.event_timezone', as: 'plain' },
  { name: 'sys_attributes', sql: 'e.sys_attributes::text', as: 'json', optional: true },
  ...USER_ATTRIBUTE_NAMES.map((name) => ({ name, sql: userAttributeText(name), as: USER_ATTRIBUTES[name], optional: true })),
  { name: 'tenant', sql: 'e.tenant', as: 'plain' },
  { name: 'created_at', sql: timestampText('e.created_at'), as: 'plain' },
  { name: 'created_by', sql: 'e.created_by', as: 'text', optional: true },
  { name: 'modified_at', sql: timestampText('e.modified_at'), as: 'plain' },
  { name: 'modified_by', sql: 'e.modified_by', as: 'text', optional: true },
  { name: 'erased_at', sql: timestampText('e.erased_at'), as: 'plain', optional: true },
];

/**
 * SQL expression for the JSON text of an `EventResponse`; `e` is the table. Every response uses it: attributes are stored as the JSON text
 * of the response, and microseconds never pass through a `Date`.
 */
export const EVENT_JSON = jsonObjectText(EVENT_MEMBERS);
