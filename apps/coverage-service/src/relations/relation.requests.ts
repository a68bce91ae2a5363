import { type FieldOptions, ReadOnly, TextField, UuidField } from '@fibre/dto';
import { PageQuery } from '@fibre/pagination';

/** Maximum lengths of strings, in code points. */
const MAX_NAME = 255;
const MAX_PIP = 255;
const MAX_COMMENT = 4_000;

const NameField = (options: FieldOptions): PropertyDecorator => TextField(1, MAX_NAME, options);
const PipField = (options: FieldOptions): PropertyDecorator => TextField(1, MAX_PIP, options);
const CommentField = (): PropertyDecorator => TextField(1, MAX_COMMENT, { description: 'For your own notes.', presence: 'optional' });

const NAME = 'Your name for the relation, unique within your tenant.';
const PIP = 'The infrastructure provider (PIP).';

export class RelationPath {
  @UuidField({ description: 'The relation.' })
  relation_id!: string;
}

export class CreateRelationRequest {
  @NameField({ description: NAME, example: 'Innere Stadt' })
  name!: string;

  @PipField({ description: PIP, example: 'Stadtnetz Wien' })
  pip!: string;

  @CommentField()
  comment?: string | null;
}

/** A JSON merge patch (RFC 7396): absent members keep their value, and `null` clears the comment. */
@ReadOnly('relation_id', 'tenant', 'prenodes', 'nodes', 'created_at', 'modified_at')
export class UpdateRelationRequest {
  @NameField({ description: NAME, presence: 'if-present' })
  name?: string;

  @PipField({ description: PIP, presence: 'if-present' })
  pip?: string;

  @CommentField()
  comment?: string | null;
}

export class ListRelationsQuery extends PageQuery {
  @NameField({ description: 'Only the relation with this name.', presence: 'if-present' })
  name?: string;

  @PipField({ description: 'Only relations with this infrastructure provider.', presence: 'if-present' })
  pip?: string;
}

/** Names are unique, so this example works again only after the relation is deleted. */
export const CREATE_EXAMPLES = {
  relation: {
    summary: 'a relation with an infrastructure provider',
    value: { name: 'Innere Stadt', pip: 'Stadtnetz Wien', comment: 'ducts and dark fibre within the ring road' },
  },
};

export const UPDATE_EXAMPLES = {
  name: { summary: 'another name', value: { name: 'Wien 1' } },
  clear: { summary: 'clear the comment', value: { comment: null } },
};
