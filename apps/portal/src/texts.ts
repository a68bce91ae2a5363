import { storedChoice } from './stored-choice.js';

/** Each language by its own name. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;

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
  new Intl.DateTimeFormat(language.value, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(timestamp));

export const formatNumber = (value: number): string => new Intl.NumberFormat(language.value).format(value);
