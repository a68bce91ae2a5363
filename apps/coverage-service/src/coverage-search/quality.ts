import type { QualityTable } from '../settings/quality-table.js';

/** The grade of a distance in metres. */
export function qualityOf(metres: number, table: QualityTable): string {
  const grade = table.find(({ upTo }) => metres <= upTo)?.grade;
  if (grade === undefined) throw new Error(`the quality table has no grade for ${metres} m`);
  return grade;
}
