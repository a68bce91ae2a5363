import { readFileSync } from 'node:fs';
import { costsOfRoutes, type RouteCosts } from '@fibre/server';
import type { NestExpressApplication } from '@nestjs/platform-express';

const GUIDE = new URL('../../../../docs/operations.md', import.meta.url);

const inWords = (ms?: number): string => (ms === undefined ? '' : ms < 600_000 ? `${ms / 1_000} s` : `${ms / 60_000} minutes`);
const code = (name: string): string => `\`${name}\``;

/** The rows of the table in docs/operations.md that the routes of a service need and the guide lacks. */
export function missingCosts(app: NestExpressApplication): string[] {
  const operations = new Map<string, string[]>();
  for (const [name, costs] of costsOfRoutes(app)) {
    if (Object.keys(costs).length === 0) continue;
    const cells = cellsOf(costs).join(' | ');
    operations.set(cells, [...(operations.get(cells) ?? []), name]);
  }
  const guide = readFileSync(GUIDE, 'utf8');
  return [...operations]
    .map(([cells, names]) => `| ${names.sort().map(code).join(', ')} | ${cells} |`)
    .filter((row) => !guide.includes(`${row}\n`));
}

const cellsOf = ({ timeLimitMs, largestBody, limits = [], lockWaitMs }: RouteCosts): string[] => [
  limits.map(code).join(', '),
  inWords(timeLimitMs),
  largestBody === undefined ? '' : code(largestBody),
  inWords(lockWaitMs),
];
