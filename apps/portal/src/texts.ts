import { signal } from '@preact/signals';
import { WORDS } from './words.js';

/** Each language under its own name. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;
/** Locales for dates and numbers: the day before the month, and a 24-hour clock. */
const LOCALES = { en: 'en-GB', de: 'de' } as const;

type Text = string | ((...values: never[]) => string);
type Translation<T> = T extends (...values: infer V) => string ? (...values: V) => string : string;
type Texts<T> = { readonly [K in keyof T]: Translation<T[K]> } & Readonly<Record<Exclude<keyof typeof WORDS, keyof T>, string>>;

const preferred = navigator.language.toLowerCase().startsWith('de') ? 'de' : 'en';
const chosen = localStorage.getItem('language');
/** The language of the page, which the browser remembers. */
export const language = signal<Language>(chosen === 'en' || chosen === 'de' ? chosen : preferred);
language.subscribe((value) => (value === preferred ? localStorage.removeItem('language') : localStorage.setItem('language', value)));

/**
 * The texts of one page or component, each in English and German, plus the words that all pages share. In a component:
 * `const t = texts();` and `{t.title}`; a text with placeholders is a function: `{t.count(3)}`.
 */
export function defineTexts<T extends Record<string, Text>>(texts: {
  readonly [K in keyof T]: readonly [en: T[K], de: Translation<T[K]>];
}): () => Texts<T> {
  const all = Object.entries<readonly [Text, Text]>({ ...WORDS, ...texts });
  const [en, de] = [0, 1].map((index) => Object.fromEntries(all.map(([name, both]) => [name, both[index]])) as Texts<T>);
  return () => (language.value === 'de' ? de! : en!);
}

export const words = defineTexts<Record<never, string>>({});

const formatDateTime = (at: string | number | Date, options: Intl.DateTimeFormatOptions): string =>
  new Date(at).toLocaleString(LOCALES[language.value], options);

/** A moment in the browser's time zone, formatted for the language. */
export const formatTime = (timestamp: string): string => formatDateTime(timestamp, { dateStyle: 'medium', timeStyle: 'short' });

/** A calendar date, `YYYY-MM-DD`, formatted for the language; other text is returned unchanged. */
export function formatDate(date: string): string {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(midnight) ? date : formatDateTime(midnight, { dateStyle: 'medium', timeZone: 'UTC' });
}

/**
 * A moment in a time zone, by default the browser's, as exactly as it has to be: without seconds if they are 0, and at midnight only its
 * day.
 */
export function formatMoment(timestamp: string | number, timeZone?: string): string {
  try {
    const clock = new Date(timestamp).toLocaleTimeString('en-GB', { timeZone, timeStyle: 'medium' });
    const isWhole = new Date(timestamp).getMilliseconds() === 0;
    const timeStyle = clock.endsWith(':00') && isWhole ? ('short' as const) : ('medium' as const);
    return formatDateTime(timestamp, { dateStyle: 'medium', timeZone, ...((clock !== '00:00:00' || !isWhole) && { timeStyle }) });
  } catch {
    // This browser does not know the zone.
    return `${formatDateTime(timestamp, { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' })} UTC`;
  }
}

/** A tick on a time scale: just enough to tell it apart from the others. */
const TICK_PARTS = {
  time: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  day: { day: 'numeric', month: 'short' },
  month: { month: 'short', year: 'numeric' },
  shortMonth: { month: 'short' },
  year: { year: 'numeric' },
  wholeMonth: { month: 'long', year: 'numeric' },
} as const;
export const formatTick = (at: Date, unit: keyof typeof TICK_PARTS): string => formatDateTime(at, TICK_PARTS[unit]);

export const formatNumber = (value: number, options?: Intl.NumberFormatOptions): string =>
  value.toLocaleString(LOCALES[language.value], options);
/** The size of a file. */
export function formatSize(bytes: number): string {
  const [unit, size] = bytes < 1_000_000 ? (['kilobyte', 1_000] as const) : (['megabyte', 1_000_000] as const);
  const shown = Math.ceil((10 * bytes) / size) / 10;
  return formatNumber(shown, { style: 'unit', unit, maximumSignificantDigits: 3 });
}
/** Formats an estimate with only as many digits as its precision justifies. */
export const formatEstimate = (value: number): string => formatNumber(value, { maximumSignificantDigits: 2 });

/** The services count records exactly up to this number; above it, they may estimate. */
export const EXACT = 10_000;
/** A count that a service reported. */
export interface Count {
  readonly count: number;
  readonly estimated?: boolean;
}
/** @param exact up to which number the service counts */
export const formatCount = ({ count, estimated, exact = EXACT }: Count & { exact?: number }): string =>
  estimated ? `${language.value === 'de' ? 'mehr als' : 'more than'} ${formatNumber(exact)}` : formatNumber(count);
/** The total of a listing. */
export const formatTotal = (count: number): string => formatCount({ count, estimated: count > EXACT });
/** The sum of counts. */
export const sumOf = (counts: readonly Count[]): Count => ({
  count: counts.reduce((sum, { count }) => sum + count, 0),
  estimated: counts.some(({ estimated }) => estimated),
});
