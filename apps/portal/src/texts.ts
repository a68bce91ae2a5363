import { storedChoice } from './stored-choice.js';

/** Each language by its own name. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;
/** Whose way of writing dates and numbers goes with a language: the day before the month, and 24 hours. */
const LOCALES = { en: 'en-GB', de: 'de' } as const;

type Text = string | ((...values: never[]) => string);
type Translation<T> = { readonly [K in keyof T]: T[K] extends (...values: infer V) => string ? (...values: V) => string : string };

const preferred = (): Language => (navigator.language.toLowerCase().startsWith('de') ? 'de' : 'en');
const { choice, choose } = storedChoice<Language>('language', Object.keys(LANGUAGES) as Language[], preferred);

/** The language of the page. */
export const language = choice;
export const chooseLanguage = choose;

/**
 * The texts of one page or component, in both languages. What German lacks is a type error. In the component:
 * `const t = texts();` and `{t.title}`; a text with values is a function: `{t.count(3)}`.
 */
export function defineTexts<T extends Record<string, Text>>(en: T, de: Translation<T>): () => Translation<T> {
  return () => (language.value === 'de' ? de : (en as unknown as Translation<T>));
}

/** A moment as people of the language write it, in the time zone of the browser. */
export const formatTime = (timestamp: string): string =>
  new Intl.DateTimeFormat(LOCALES[language.value], { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(timestamp));

/** A moment to the second, as the clocks of a time zone show it; without one, those of the browser's. */
export function formatMoment(timestamp: string | number, timeZone?: string): string {
  const format = (zone?: string) =>
    new Intl.DateTimeFormat(LOCALES[language.value], { dateStyle: 'medium', timeStyle: 'medium', timeZone: zone }).format(
      new Date(timestamp),
    );
  try {
    return format(timeZone);
  } catch {
    // A zone that this browser does not know yet.
    return `${format('UTC')} UTC`;
  }
}

/** A mark on a time scale: no more than it takes to tell it from the others. */
const TICK_PARTS = {
  time: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  day: { day: 'numeric', month: 'short' },
  month: { month: 'short', year: 'numeric' },
  year: { year: 'numeric' },
} as const;
export const formatTick = (at: number, unit: keyof typeof TICK_PARTS, timeZone: string): string =>
  new Intl.DateTimeFormat(LOCALES[language.value], { ...TICK_PARTS[unit], timeZone }).format(at);

export const formatNumber = (value: number): string => new Intl.NumberFormat(LOCALES[language.value]).format(value);
/** No more digits than an estimate has to say. */
export const formatEstimate = (value: number): string =>
  new Intl.NumberFormat(LOCALES[language.value], { maximumSignificantDigits: 2 }).format(value);
