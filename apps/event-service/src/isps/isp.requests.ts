import { TENANT } from '@fibre/auth';
import { Field, NameField, ReadOnly, TextField, UuidField } from '@fibre/dto';
import { OrderedPageQuery } from '@fibre/pagination';
import { IsEmail, Matches } from 'class-validator';

/** Maximum lengths in code points; for an address, the limit in RFC 5321 section 4.5.3.1.3. */
const MAX_NAME = 255;
const MAX_EMAIL = 254;
const MAX_COMMENT = 4_000;

export class IspPath {
  @UuidField({ description: 'Id of the ISP, used in events.' })
  partner_id!: string;
}

@ReadOnly('partner_id', 'tenant', 'created_at', 'created_by', 'modified_at', 'modified_by')
export class IspRequest {
  @NameField(1, MAX_NAME, { description: 'Name, unique within tenant and namespace.', example: 'Donau Internet' })
  name!: string;

  @Field(
    { description: 'Contact address.', presence: 'optional', example: 'noc@isp.example' },
    { type: String, format: 'email', maxLength: MAX_EMAIL },
    // A quoted local part may contain line breaks, which would add headers to a message.
    IsEmail({ blacklisted_chars: '\\x00-\\x1f\\x7f' }, { message: `must be an email address of at most ${MAX_EMAIL} characters` }),
  )
  email?: string | null;

  @TextField(1, MAX_COMMENT, { description: 'Your own comment.', presence: 'optional' })
  comment?: string | null;

  @Field(
    {
      description:
        "The tenant of the ISP's own tokens, unique within tenant and namespace. With the scope `charges:read`, they read what the ISP is charged.",
      presence: 'optional',
      example: 'isp.demo',
    },
    { type: String, pattern: TENANT.source },
    Matches(TENANT, {
      message: 'must be 1 to 63 lower-case letters, digits, dots, underscores or hyphens, starting with a letter or digit',
    }),
  )
  isp_tenant?: string | null;
}

export class ListIspsQuery extends OrderedPageQuery {
  @NameField(1, MAX_NAME, { description: 'Only the ISP with this name.', presence: 'if-present' })
  name?: string;
}

/** Names are unique, so the first example works only once; the second can be sent again. */
export const CREATE_EXAMPLES = { isp: { summary: 'an ISP', value: { name: 'Donau Internet', email: 'noc@donau.example' } } };
export const PUT_EXAMPLES = {
  isp: {
    summary: 'an ISP under an id that you choose',
    value: { name: 'Mur Net', email: 'noc@mur.example', comment: 'Contract of 2026.' },
  },
};
