import { createHash } from 'node:crypto';
import { type CheckFunction, text, uuid } from '@fibre/dto';
import { type Offence } from '@fibre/validation';
import canonicalize from 'canonicalize';
import type { EventType } from './event.entity.js';

/** Longest strings, in code points, and most article codes. */
const [MAX_REFERENCE, MAX_ARTICLE_CODE, MAX_ARTICLE_CODES] = [255, 64, 64];

/** System attributes of an event (SPEC section 2.4). */
export interface SysAttributes {
  readonly partner_id?: string;
  readonly article_codes?: readonly string[];
  readonly option82?: string;
  readonly partner_reference?: string;
}

type Member = keyof SysAttributes;
type Presence = 'required' | 'optional' | 'refused';

const PRESENCE: Readonly<Record<Exclude<EventType, 'deactivation'>, Readonly<Record<Member, Presence>>>> = {
  activation: { partner_id: 'required', article_codes: 'required', option82: 'optional', partner_reference: 'optional' },
  update: { partner_id: 'refused', article_codes: 'required', option82: 'optional', partner_reference: 'optional' },
  notification: { partner_id: 'optional', article_codes: 'optional', option82: 'optional', partner_reference: 'optional' },
};

const articleCode = text(1, MAX_ARTICLE_CODE);
const CHECKS: Readonly<Record<Exclude<Member, 'article_codes'>, CheckFunction>> = {
  partner_id: uuid,
  option82: text(1, MAX_REFERENCE),
  partner_reference: text(1, MAX_REFERENCE),
};

/** What is wrong with the `sys_attributes` of an event of this type, every offender named. */
export function sysAttributesOffences(value: unknown, type: EventType): Offence[] {
  const path = ['sys_attributes'];
  if (type === 'deactivation') return value == null ? [] : [{ path, detail: 'must be absent for a deactivation' }];
  if (value == null) return type === 'notification' ? [] : [{ path, detail: `is required for an ${type}` }];
  if (typeof value !== 'object' || Array.isArray(value)) return [{ path, detail: 'has to be an object' }];

  const unknown = Object.keys(value).filter((key) => !Object.hasOwn(PRESENCE[type], key));
  return [
    ...unknown.map((key) => ({ path: [...path, key], detail: 'is not a member of sys_attributes' })),
    ...Object.entries(PRESENCE[type]).flatMap(([member, presence]) =>
      memberOffences(value as Record<string, unknown>, member as Member, presence, type),
    ),
  ];
}

function memberOffences(attributes: Record<string, unknown>, member: Member, presence: Presence, type: EventType): Offence[] {
  const path = ['sys_attributes', member];
  const value = attributes[member];
  if (value == null) return presence === 'required' ? [{ path, detail: `is required for an ${type}` }] : [];
  if (presence === 'refused')
    return [{ path, detail: `must be absent for an ${type}; another partner is a deactivation and an activation` }];
  if (member === 'article_codes') return articleCodesOffences(value, path);
  const detail = CHECKS[member](value);
  return detail === undefined ? [] : [{ path, detail }];
}

function articleCodesOffences(value: unknown, path: string[]): Offence[] {
  if (!Array.isArray(value) || value.length < 1 || value.length > MAX_ARTICLE_CODES) {
    return [{ path, detail: `has to be an array of 1 to ${MAX_ARTICLE_CODES} strings` }];
  }
  return value.flatMap((code, index) => {
    const detail = articleCode(code);
    return detail === undefined ? [] : [{ path: [...path, String(index)], detail }];
  });
}

/** Valid `sys_attributes` as canonical JSON (RFC 8785); `null` when there are none, or none with a value. */
export function canonicalSysAttributes(value: SysAttributes | null | undefined): string | null {
  const members = Object.entries(value ?? {}).filter(([, member]) => member != null);
  const normal = members.map(([name, member]) => [name, name === 'partner_id' ? (member as string).toLowerCase() : (member as unknown)]);
  return normal.length === 0 ? null : canonicalize(Object.fromEntries(normal))!;
}

/** The first 128 bits of the SHA-256 of canonical `sys_attributes`, as a UUID. Part of a unique index: never to change. */
export function hashSysAttributes(canonical: string | null): string {
  const hex = createHash('sha256')
    .update(canonical ?? '{}')
    .digest('hex');
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
