import { Field, ReadOnly, TextField, UuidField } from '@fibre/dto';
import { PageQuery } from '@fibre/pagination';
import { IsEmail } from 'class-validator';

/** Longest strings: code points, and for an address what RFC 5321 section 4.5.3.1.3 leaves of a path. */
const MAX_NAME = 255;
const MAX_EMAIL = 254;
const MAX_COMMENT = 4_000;

export class IspPath {
  @UuidField({ description: 'The ISP, as the events name it.' })
  partner_id!: string;
}

export class IspRequest {
  @TextField(1, MAX_NAME, { description: 'Name, unique within tenant and namespace.', example: 'Donau Internet' })
  name!: string;

  @Field(
    { description: 'Where to write to.', presence: 'optional', example: 'noc@isp.example' },
    { type: String, format: 'email', maxLength: MAX_EMAIL },
    // A quoted local part may have line breaks in it, which would be headers of their own in a message.
    IsEmail({ blacklisted_chars: '\\x00-\\x1f\\x7f' }, { message: `has to be an email address of at most ${MAX_EMAIL} characters` }),
  )
  email?: string | null;

  @TextField(1, MAX_COMMENT, { description: 'Your own comment.', presence: 'optional' })
  comment?: string | null;

  @ReadOnly()
  partner_id?: never;

  @ReadOnly()
  tenant?: never;

  @ReadOnly()
  created_at?: never;

  @ReadOnly()
  modified_at?: never;
}

export class ListIspsQuery extends PageQuery {
  @TextField(1, MAX_NAME, { description: 'The ISP of this name.', presence: 'if-present' })
  name?: string;
}

/** The second may be sent again and again; a name is created once only. */
export const CREATE_EXAMPLES = { isp: { summary: 'an ISP', value: { name: 'Donau Internet', email: 'noc@donau.example' } } };
export const PUT_EXAMPLES = {
  isp: { summary: 'an ISP under an id of your own', value: { name: 'Mur Net', email: 'noc@mur.example', comment: 'Contract of 2026.' } },
};
