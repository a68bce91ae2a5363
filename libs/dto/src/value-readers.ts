/** Parses a whole number in a query parameter; anything else is left unchanged and fails validation. */
export const toInteger = (sent: unknown): unknown => (typeof sent === 'string' && /^\d{1,9}$/.test(sent) ? Number(sent) : sent);

/** Converts strings to lower case; UUIDs are compared and returned in lower case. */
export const toLowerCase = (sent: unknown): unknown => (typeof sent === 'string' ? sent.toLowerCase() : sent);
