/** Reads a whole number of a query parameter; what is none stays as it is, for the validation to refuse. */
export const toInteger = (sent: unknown): unknown => (typeof sent === 'string' && /^\d{1,9}$/.test(sent) ? Number(sent) : sent);

/** Lower-cases what is a string; UUIDs are compared and answered in lower case. */
export const toLowerCase = (sent: unknown): unknown => (typeof sent === 'string' ? sent.toLowerCase() : sent);
