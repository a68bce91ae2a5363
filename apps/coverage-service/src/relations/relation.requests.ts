import { Field, type FieldOptions, isWebUrl, NameField, ReadOnly, Satisfies, text, TextField, UuidField } from '@fibre/dto';
import { OrderedPageQuery } from '@fibre/pagination';

/** Maximum lengths of strings, in code points. */
const MAX_NAME = 255;
const MAX_PIP = 255;
const MAX_COMMENT = 4_000;
const MAX_CONTACT = 255;
const MAX_URL = 2_048;

const RelationNameField = (options: FieldOptions): PropertyDecorator => NameField(1, MAX_NAME, options);
const PipField = (options: FieldOptions): PropertyDecorator => NameField(1, MAX_PIP, options);
const CommentField = (): PropertyDecorator => TextField(1, MAX_COMMENT, { description: 'For your own notes.', presence: 'optional' });

const ContactField = (description: string, example: string): PropertyDecorator =>
  TextField(1, MAX_CONTACT, { description: `${description} ISPs see it.`, example, presence: 'optional' });

const NAME = 'Your name for the relation, unique within your tenant.';
const PIP = 'The infrastructure provider (PIP).';

export class RelationPath {
  @UuidField({ description: 'The relation.' })
  relation_id!: string;
}

class ContactFieldsRequest {
  @ContactField('The operator (ANO), under the name that ISPs know.', 'Wiener Glasfaser')
  operator?: string | null;

  @ContactField('Person or team to contact.', 'Wholesale desk')
  contact_name?: string | null;

  @ContactField('Email address of the contact.', 'wholesale@ano.example')
  contact_email?: string | null;

  @ContactField('Phone number of the contact.', '+43 1 234567')
  contact_phone?: string | null;

  @Field(
    {
      description: 'Page on which an ISP can order: an https URL. ISPs see it.',
      example: 'https://ano.example/order',
      presence: 'optional',
    },
    { type: String, format: 'uri', minLength: 1, maxLength: MAX_URL, pattern: '^[hH][tT][tT][pP][sS]://' },
    Satisfies(text(1, MAX_URL)),
    Satisfies((value) =>
      isWebUrl(value) && new URL(value).protocol === 'https:' ? undefined : 'must be an https URL without spaces, backslashes and user',
    ),
  )
  order_url?: string | null;
}

export class CreateRelationRequest extends ContactFieldsRequest {
  @RelationNameField({ description: NAME, example: 'Innere Stadt' })
  name!: string;

  @PipField({ description: PIP, example: 'Stadtnetz Wien' })
  pip!: string;

  @CommentField()
  comment?: string | null;
}

/** A JSON merge patch (RFC 7396): absent members keep their value, and `null` clears an optional one. */
@ReadOnly('relation_id', 'tenant', 'prenodes', 'nodes', 'created_at', 'created_by', 'modified_at', 'modified_by')
export class UpdateRelationRequest extends ContactFieldsRequest {
  @RelationNameField({ description: NAME, presence: 'if-present' })
  name?: string;

  @PipField({ description: PIP, presence: 'if-present' })
  pip?: string;

  @CommentField()
  comment?: string | null;
}

export class ListRelationsQuery extends OrderedPageQuery {
  @RelationNameField({ description: 'Only the relation with this name.', presence: 'if-present' })
  name?: string;

  @PipField({ description: 'Only relations with this infrastructure provider.', presence: 'if-present' })
  pip?: string;
}
