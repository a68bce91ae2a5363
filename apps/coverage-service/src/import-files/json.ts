import { Problem } from '@fibre/problems';
import { inspectJson } from '@fibre/validation';
import type { Fields } from './sent-row.js';

export const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses JSON by the rules of a request body: a member that is given twice, for instance, is a fault. */
export function parseJson(text: string): { value?: unknown; fault?: string; isSyntax?: boolean } {
  try {
    inspectJson(text, 'The row');
    // The text itself: numbers with more digits than a double holds are coordinates, which are rounded anyway.
    return { value: JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return { fault: `is not valid JSON: ${error.message}`, isSyntax: true };
    if (error instanceof Problem) return { fault: error.message };
    throw error;
  }
}
