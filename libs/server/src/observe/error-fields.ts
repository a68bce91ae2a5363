/** What PostgreSQL adds to an error. */
interface DatabaseError extends Error {
  readonly code?: string;
  readonly constraint?: string;
  readonly table?: string;
}

/** What the log says of an error. */
interface ErrorFields extends Pick<DatabaseError, 'code' | 'constraint' | 'table'> {
  readonly type: string;
  readonly message: string;
  readonly stack: string;
  readonly cause?: ErrorFields;
}

/** Causes of causes that are logged. */
const MAX_DEPTH = 4;

/**
 * The members of an error that can't contain what a person wrote. An error of TypeORM or PostgreSQL also has the query, its parameters and
 * the row (`detail`, `where`); and the message of a data exception (SQLSTATE class 22) repeats the value in quotes.
 */
export function errorFields(error: unknown, depth = 0): ErrorFields {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an error', stack: '' };
  const { code, constraint, table } = error as DatabaseError;
  const text = typeof code === 'string' && code.startsWith('22') ? error.message.replace(/".*"/s, '"..."') : error.message;
  return {
    type: error.constructor.name,
    message: text,
    stack: (error.stack ?? '').split('\n').filter(isFrame).join('\n'),
    ...(code !== undefined && { code }),
    ...(constraint !== undefined && { constraint }),
    ...(table !== undefined && { table }),
    ...(error.cause !== undefined && depth < MAX_DEPTH && { cause: errorFields(error.cause, depth + 1) }),
  };
}

const isFrame = (line: string): boolean => line.startsWith('    at ');
