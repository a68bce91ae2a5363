import { type Level, pino } from 'pino';
import pretty from 'pino-pretty';
import { COLOUR } from '../terminal.js';

const prettify = pretty.prettyFactory({
  colorize: COLOUR,
  translateTime: 'SYS:HH:MM:ss',
  ignore: 'pid,hostname,name,service',
  singleLine: true,
});

/** A service's log line for people; nothing for one below the given level. What is no log line passes as it is. */
export function readableLog(line: string, from: Level = 'warn'): string | undefined {
  const level = logLevel(line);
  if (level === undefined) return line;
  return level < levelNumber(from) ? undefined : prettify(line).trimEnd();
}

function logLevel(line: string): number | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const { level } = JSON.parse(line) as { level?: unknown };
    return typeof level === 'string' ? levelNumber(level) : undefined;
  } catch {
    return undefined;
  }
}

function levelNumber(name: string): number {
  return pino.levels.values[name] ?? 0;
}
