import { ApiProperty } from '@nestjs/swagger';
import { TextField } from './field-decorators.js';

/** The members that say who created a record and who last changed it. Responses that other tenants get omit them. */
export const AUTHORS = ['created_by', 'modified_by'] as const;

const Author = (description: string): PropertyDecorator =>
  ApiProperty({
    type: String,
    required: false,
    description: `${description}: by default the user name or the OAuth client in the token. Only your tenant sees it.`,
    example: 'anna@ano.example',
  });

/** Who created a record, in a response. */
export const CreatedBy = (description = 'Who created it'): PropertyDecorator => Author(description);
/** Who last changed a record, in a response. */
export const ModifiedBy = (description = 'Who last changed it'): PropertyDecorator => Author(description);

/** A filter by one of {@link AUTHORS}. */
export const AuthorFilter = (description: string): PropertyDecorator => TextField(1, 255, { description, presence: 'if-present' });
