import { Field } from '@fibre/dto';
import { Matches } from 'class-validator';

const NAMESPACE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Header of every operation: which namespace it works in (SPEC section 4.4). */
export class NamespaceHeader {
  // Node joins a header that is given twice by commas, which no namespace has.
  @Field(
    {
      description: 'Namespace that the operation works in; absent: the production state. For development and testing alone.',
      presence: 'if-present',
    },
    { type: String, pattern: NAMESPACE.source },
    Matches(NAMESPACE, { message: 'has to be 1 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit' }),
  )
  namespace?: string;
}
