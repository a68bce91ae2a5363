/** A mistake that a developer could make, and the check that must notice it. */
export interface Fault {
  /** The rule that the planted code breaks. */
  readonly rule: string;
  /** A source file, and texts to replace in it. Each must occur exactly once, however its lines are broken. */
  readonly file: string;
  readonly edits: readonly (readonly [from: string, to: string])[];
  /** A project and one of its spec files, or `history` and the faults of `npm run history`. */
  readonly caughtBy: readonly [project: Project | 'history', which: string];
}

/** The folder in which the tests of a project run, and the further arguments of tools/tests/jest. */
export const PROJECTS = {
  'coverage-service': ['apps/coverage-service'],
  'event-service': ['apps/event-service'],
  client: ['libs/client'],
  libs: ['tools', '--config', 'tests/libs.config.mjs'],
} as const;
export type Project = keyof typeof PROJECTS;

export const COVERAGE = 'apps/coverage-service/src/';
export const EVENTS = 'apps/event-service/src/';
