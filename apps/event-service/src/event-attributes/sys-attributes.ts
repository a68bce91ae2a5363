import { createHash } from 'node:crypto';
import { Field, type FieldOptions, hexToUuid, KeyField, keyPattern, keyText, listOf, Refused, Satisfies, UuidField } from '@fibre/dto';
import type { Type } from '@nestjs/common';
import canonicalize from 'canonicalize';

/** Maximum lengths of strings, in code points, and maximum number of article codes. */
export const MAX_ARTICLE_CODE = 64;
export const MAX_REFERENCE = 255;
const MAX_ARTICLE_CODES = 64;

const PartnerField = (presence: FieldOptions['presence']): PropertyDecorator =>
  UuidField({ description: 'The internet service provider.', presence });

const ArticleCodesField = (presence: FieldOptions['presence']): PropertyDecorator =>
  Field(
    { description: `1 to ${MAX_ARTICLE_CODES} strings of 1 to ${MAX_ARTICLE_CODE} characters.`, presence },
    {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: MAX_ARTICLE_CODE, pattern: keyPattern() },
      minItems: 1,
      maxItems: MAX_ARTICLE_CODES,
      example: ['FIBRE-100'],
    },
    Satisfies(listOf(1, MAX_ARTICLE_CODES, 'strings', keyText(1, MAX_ARTICLE_CODE))),
  );

/** Members that all types of `sys_attributes` may have. */
class LineAttributes {
  @KeyField(1, MAX_REFERENCE, { description: 'DHCP relay agent information for the line (RFC 3046).', presence: 'optional' })
  option82?: string | null;

  @KeyField(1, MAX_REFERENCE, { description: "The internet service provider's reference.", presence: 'optional' })
  partner_reference?: string | null;
}

export class ActivationAttributes extends LineAttributes {
  @PartnerField('required')
  partner_id!: string;

  @ArticleCodesField('required')
  article_codes!: string[];
}

export class UpdateAttributes extends LineAttributes {
  @ArticleCodesField('required')
  article_codes!: string[];

  @Refused('must be absent for an update; to change the partner, send a deactivation and an activation')
  partner_id?: null;
}

export class NotificationAttributes extends LineAttributes {
  @PartnerField('optional')
  partner_id?: string | null;

  @ArticleCodesField('optional')
  article_codes?: string[] | null;
}

/** A deactivation has no `sys_attributes`. */
export class DeactivationAttributes {}

/** Valid `sys_attributes` of any event type. */
export type SysAttributes = ActivationAttributes | UpdateAttributes | NotificationAttributes;

const CLASSES = new Map<unknown, Type<object>>([
  ['activation', ActivationAttributes],
  ['update', UpdateAttributes],
  ['notification', NotificationAttributes],
  ['deactivation', DeactivationAttributes],
]);

/** The class of `sys_attributes` for an `event_type`. */
export const sysAttributesClass = ({ event_type }: Readonly<Record<string, unknown>>): Type<object> | undefined => CLASSES.get(event_type);

/** What is wrong with `sys_attributes` as a whole for this event type, or `undefined`; the class for the type checks the contents. */
export function sysAttributesFault(value: unknown, { event_type }: { readonly event_type?: unknown }): string | undefined {
  if (!CLASSES.has(event_type)) return undefined;
  if (event_type === 'deactivation') return value == null ? undefined : 'must be absent for a deactivation';
  if (value == null) return event_type === 'notification' ? undefined : `is required for an ${event_type as string}`;
  return typeof value === 'object' && !Array.isArray(value) ? undefined : 'must be an object';
}

/** Valid `sys_attributes` as canonical JSON (RFC 8785); `null` if no member has a value. */
export function canonicalSysAttributes(value: SysAttributes | null | undefined): string | null {
  const members = Object.entries(value ?? {}).filter(([, member]) => member != null);
  return members.length === 0 ? null : canonicalize(Object.fromEntries(members))!;
}

/** The first 128 bits of the SHA-256 of canonical `sys_attributes`, as a UUID. It is part of a unique index and must never change. */
export function hashSysAttributes(canonical: string | null): string {
  const hex = createHash('sha256')
    .update(canonical ?? '{}')
    .digest('hex');
  return hexToUuid(hex.slice(0, 32));
}
