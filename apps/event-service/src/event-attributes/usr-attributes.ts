import { characterFault } from '@fibre/dto';
import canonicalize from 'canonicalize';

/** Maximum size as compact JSON in UTF-8, in bytes. */
const MAX_BYTES = 16_384;
/** Maximum nesting depth of objects and arrays. */
const MAX_LEVELS = 8;

/** Which numbers are accepted, in the same words everywhere: those that come back as they were sent. */
export const NUMBERS =
  'numbers must fit into a double and be written with no more digits than it needs: 0.1, not 0.10000000000000001; send others as strings';

/** What is wrong with `usr_attributes`, or `undefined`. Never looks deeper than the allowed levels. */
export function usrAttributesFault(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be an object';
  // The canonical form only orders the members differently, so it has the same size.
  const isTooLong = () => Buffer.byteLength(JSON.stringify(value)) > MAX_BYTES;
  return faultIn(value, 1) ?? (isTooLong() ? `must have at most ${MAX_BYTES} bytes as compact JSON` : undefined);
}

function faultIn(value: unknown, level: number): string | undefined {
  if (typeof value === 'string') return characterFault(value);
  // The parser returns Infinity for a number whose text is not that of a double.
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : NUMBERS;
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
