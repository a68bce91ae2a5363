import pretty from 'pino-pretty';
import { COLOUR } from '../terminal.js';

const prettify = pretty.prettyFactory({
  colorize: COLOUR,
  translateTime: 'SYS:HH:MM:ss',
  ignore: 'pid,hostname,name,service',
  singleLine: true,
});

/** A service's log line for people. What is no log line passes as it is. */
export const readableLog = (line: string): string => (line.startsWith('{"level":') ? prettify(line).trimEnd() : line);
