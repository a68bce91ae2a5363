import { Problem } from '@fibre/problems';
import { inspectJson } from '@fibre/body';
import type { Fields } from './sent-row.js';

export const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses JSON by the rules for request bodies, which, for example, forbid repeated members. */
export function parseJson(text: string): { value?: unknown; fault?: string; isSyntax?: boolean } {
  try {
    inspectJson(text, 'The row');
    // Numbers become doubles: only coordinates have more digits than a double, and they are rounded anyway.
    return { value: JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return { fault: `is not valid JSON: ${error.message}`, isSyntax: true };
    if (error instanceof Problem) return { fault: error.message };
    throw error;
  }
}

/** JSON text on one line; line breaks can only occur between its values. */
export const inOneLine = (text: string): string => text.trim().replaceAll(/[\r\n]+/g, ' ');
