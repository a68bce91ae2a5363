/** Grades from best to worst, each up to and including a distance in metres; the last one has no limit. */
export type QualityTable = readonly { readonly grade: string; readonly upTo: number }[];

/** Published in docs/api-design.md. */
export const DEFAULT_QUALITY_TABLE: QualityTable = [
  { grade: 'A', upTo: 10 },
  { grade: 'B', upTo: 50 },
  { grade: 'C', upTo: 100 },
  { grade: 'D', upTo: 500 },
  { grade: 'E', upTo: 1_000 },
  { grade: 'F', upTo: Infinity },
];

/**
 * Parses a table such as `A:10,B:50,C:100,D:500,E:1000,F`.
 *
 * @throws Error that says what is wrong
 */
export function parseQualityTable(text: string): QualityTable {
  const entries = text.split(',').map((entry) => /^\s*([A-Z])(?::(\d+(?:\.\d+)?))?\s*$/.exec(entry));
  const table = entries.map((match) => ({ grade: match?.[1] ?? '', upTo: match?.[2] === undefined ? Infinity : Number(match[2]) }));
  const ascending = table.every(({ upTo }, index) => index === 0 || upTo > table[index - 1]!.upTo);
  const distinct = new Set(table.map(({ grade }) => grade)).size === table.length;
  if (entries.includes(null) || !ascending || !distinct || table.at(-1)?.upTo !== Infinity) {
    throw new Error('must be letters with ascending distances in metres, the last without one: A:10,B:50,C:100,F');
  }
  return table;
}
