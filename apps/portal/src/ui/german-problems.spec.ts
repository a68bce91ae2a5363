import { readFileSync } from 'node:fs';
import { GERMAN_PROBLEMS } from './german-problems.js';

/** The portal explains the problems of these responses by their codes, and those of others by the status alone. */
const OWN_WORDS = ['408', '409', '410', '413', '415', '422', '500'];

interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses?: Readonly<Record<string, { description?: string }>> }>>>
  >;
}

/** The codes that the descriptions of these responses name. */
function codesOf(service: string): string[] {
  const text = readFileSync(new URL(`../../../${service}/openapi.json`, import.meta.url), 'utf8');
  const operations = Object.values((JSON.parse(text) as Document).paths).flatMap((path) => Object.values(path));
  return operations
    .flatMap(({ responses = {} }) => OWN_WORDS.map((status) => responses[status]?.description ?? ''))
    .flatMap((description) => Array.from(description.matchAll(/`([a-z-]+)`/g), ([, code]) => code!));
}

test.each(['coverage-service', 'event-service'])('each problem of %s that needs its own words has a German title', (service) => {
  const codes = new Set(codesOf(service));
  expect(codes.size).toBeGreaterThan(5);
  expect([...codes].filter((code) => !(code in GERMAN_PROBLEMS))).toEqual([]);
});
