import { Field } from '@fibre/dto';
import { Matches } from 'class-validator';

const NAMESPACE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** The header that names the namespace of an operation (SPEC section 4.4). */
export class NamespaceHeader {
  // Node joins a repeated header with commas, which namespaces cannot contain.
  @Field(
    { description: 'Namespace of the operation; production if absent. Only for development and testing.', presence: 'if-present' },
    { type: String, pattern: NAMESPACE.source },
    Matches(NAMESPACE, { message: 'must be 1 to 64 letters, digits, dots, underscores or hyphens, starting with a letter or digit' }),
  )
  namespace?: string;
}
