import { createHash } from 'node:crypto';
import { hexToUuid } from '@fibre/dto';
import canonicalize from 'canonicalize';
import type { SysAttributes } from './sys-attributes.requests.js';

/** Valid `sys_attributes` as canonical JSON (RFC 8785); `null` when there are none, or none with a value. */
export function canonicalSysAttributes(value: SysAttributes | null | undefined): string | null {
  const members = Object.entries(value ?? {}).filter(([, member]) => member != null);
  return members.length === 0 ? null : canonicalize(Object.fromEntries(members))!;
}

/** The first 128 bits of the SHA-256 of canonical `sys_attributes`, as a UUID. Part of a unique index: never to change. */
export function hashSysAttributes(canonical: string | null): string {
  const hex = createHash('sha256')
    .update(canonical ?? '{}')
    .digest('hex');
  return hexToUuid(hex.slice(0, 32));
}
