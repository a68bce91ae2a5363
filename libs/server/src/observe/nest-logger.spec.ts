import { Logger } from '@nestjs/common';
import { pino } from 'pino';
import { NestLogger } from './nest-logger.js';

let lines: Record<string, unknown>[];
beforeEach(() => {
  lines = [];
  const write = (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>);
  Logger.overrideLogger(new NestLogger(pino({ base: null, timestamp: false, level: 'trace' }, { write })));
});
afterEach(() => void Logger.overrideLogger(false));

test('a message is logged with its class', () => {
  new Logger('Database').log('ran migrations');
  Logger.warn('nobody in particular');
  new Logger('Database').error('%s is not formatted', 'stack');
  expect(lines).toEqual([
    { level: 30, context: 'Database', msg: 'ran migrations' },
    { level: 40, msg: 'nobody in particular' },
    { level: 50, context: 'Database', stack: 'stack', msg: '%s is not formatted' },
  ]);
});

test('fields are logged as fields, and an error with its stack', () => {
  const error = new Error('no answer');
  const logger = new Logger('KeySet');
  logger.warn({ err: error, issuer: 'x' }, 'issuer not reachable');
  logger.error({ code: 'internal-error' });
  logger.fatal(error);
  const err = expect.objectContaining({ message: 'no answer', stack: error.stack }) as unknown;
  expect(lines).toEqual([
    { level: 40, context: 'KeySet', err, issuer: 'x', msg: 'issuer not reachable' },
    { level: 50, context: 'KeySet', code: 'internal-error' },
    { level: 60, context: 'KeySet', err, msg: 'no answer' },
  ]);
});

test('each level is logged, but not the messages that Nest writes at every start', () => {
  const logger = new Logger('A');
  logger.debug('d');
  logger.verbose('v');
  new Logger('RouterExplorer').log('Mapped {/health, GET} route');
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
    [20, 'd'],
    [10, 'v'],
  ]);
});
