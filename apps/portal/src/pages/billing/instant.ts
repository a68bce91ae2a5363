import { Temporal } from 'temporal-polyfill';
import { USUAL_ZONE } from '../entities/local-time.js';

/** An exact moment, which the API, the page and the name of a file write in different ways. */
export interface Instant {
  /** RFC 3339 with the offset of the usual time zone. */
  readonly text: string;
  /** The same in the basic format of ISO 8601, because some file systems do not allow colons. */
  readonly inFileName: string;
}

/** Reads an instant in either format; `undefined` if the text is anything else, such as a date alone, which would not say when on that day. */
export function instantOf(text: string): Instant | undefined {
  try {
    const exact = Temporal.Instant.from(text.trim()).toZonedDateTimeISO(USUAL_ZONE).toString({ timeZoneName: 'never' });
    return { text: exact, inFileName: exact.replaceAll(/[-:]/g, '') };
  } catch {
    return undefined;
  }
}

export const isAfter = (one: Instant, other: Instant): boolean => Temporal.Instant.compare(one.text, other.text) > 0;
