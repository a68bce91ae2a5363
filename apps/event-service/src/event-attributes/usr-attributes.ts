import { characterFault } from '@fibre/dto';
import canonicalize from 'canonicalize';

/** Maximum size as compact JSON in UTF-8, in bytes. */
const MAX_BYTES = 16_384;
/** Maximum nesting depth of objects and arrays. */
const MAX_LEVELS = 8;

/** What is wrong with `usr_attributes`, or `undefined`. Never looks deeper than the allowed levels. */
export function usrAttributesFault(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be an object';
  // The canonical form only orders the members differently, so it has the same size.
  const isTooLong = () => Buffer.byteLength(JSON.stringify(value)) > MAX_BYTES;
  return faultIn(value, 1) ?? (isTooLong() ? `must have at most ${MAX_BYTES} bytes as compact JSON` : undefined);
}

function faultIn(value: unknown, level: number): string | undefined {
  if (typeof value === 'string') return characterFault(value);
  // The parser returns Infinity for a number that it cannot represent exactly.
  if (typeof value === 'number')
    return Number.isFinite(value) ? undefined : 'contains a number that a double cannot represent exactly; send it as a string';
  if (typeof value !== 'object' || value === null) return undefined;
  if (level > MAX_LEVELS) return `must have at most ${MAX_LEVELS} levels`;
  for (const [key, member] of Object.entries(value)) {
    const fault = characterFault(key) ?? faultIn(member, level + 1);
    if (fault) return fault;
  }
  return undefined;
}

/** Valid `usr_attributes` as canonical JSON (RFC 8785): equal texts mean equal JSON values. */
export const canonicalUsrAttributes = (value: object | null | undefined): string | null => (value == null ? null : canonicalize(value)!);
