import { inspect, isDeepStrictEqual } from 'node:util';

/** The API did not answer as it should. */
export class UnexpectedAnswer extends Error {}

export function check<T>(what: string, actual: T, expected: T): void {
  if (!isDeepStrictEqual(actual, expected)) fail(what, actual, inspect(expected));
}

export function checkThat(what: string, holds: boolean, actual: unknown, expected: string): void {
  if (!holds) fail(what, actual, expected);
}

function fail(what: string, actual: unknown, expected: string): never {
  throw new UnexpectedAnswer(`${what}\n  expected: ${expected}\n  came:     ${inspect(actual, { depth: 5 })}`);
}
