import { invalidRequest } from '@fibre/problems';
import type { CoverageEnv } from '../coverage.env.js';
import type { Center } from '../geography/center.js';
import { outsideOf } from '../settings/service-area.js';

/** What the operator of the platform requires of nodes, in addition to the rules of the API. */
export type PlatformRules = Partial<Pick<CoverageEnv, 'SERVICE_AREA' | 'ADDRESS_ID_PATTERN' | 'ADDRESS_SCHEME'>>;

interface PlatformFault {
  readonly field: 'center' | 'address_id';
  readonly detail: string;
  readonly hint?: string;
}

/** What these rules forbid; absent fields are not checked. */
export function platformFaults(
  rules: PlatformRules,
  { center, address_id }: { readonly center?: Center; readonly address_id?: string | null },
): PlatformFault[] {
  const outside = center && rules.SERVICE_AREA && outsideOf(rules.SERVICE_AREA, center);
  const address = address_id == null ? undefined : addressFault(rules, address_id);
  return [
    ...(outside ? [{ field: 'center' as const, ...outside }] : []),
    ...(address === undefined ? [] : [{ field: 'address_id' as const, detail: address }]),
  ];
}

/** @throws Problem 422 if no address of the register has this id */
export function requireAddressId(rules: PlatformRules, address_id: string | undefined): void {
  const fault = address_id === undefined ? undefined : addressFault(rules, address_id);
  if (fault !== undefined) throw invalidRequest([{ parameter: 'address_id', detail: fault }]);
}

/** @returns what is wrong with an id that no address of the register has */
export function addressFault(
  { ADDRESS_ID_PATTERN: pattern, ADDRESS_SCHEME: scheme }: PlatformRules,
  address_id: string,
): string | undefined {
  if (!pattern || pattern.test(address_id)) return undefined;
  return `must be an id of ${scheme ?? 'the address register'}, which matches ${pattern.source}`;
}
