import type { LoggerService } from '@nestjs/common';
import type { Level, Logger } from 'pino';

/** Nest's account of every module and route at each start; /metrics and the OpenAPI document tell the same. */
const START_UP_NOISE = new Set<unknown>(['InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestFactory', 'NestApplication']);

/** Writes what Nest and the classes of a service log by its Logger as JSON lines, with the class as `context`. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  fatal = this.writer('fatal');
  error = this.writer('error');
  warn = this.writer('warn');
  log = this.writer('info');
  debug = this.writer('debug');
  verbose = this.writer('trace');

  /** Nest hands over what is logged, then what belongs to it, a text or a stack, then the context. */
  private writer(level: Level) {
    return (message: unknown, ...rest: unknown[]): void => {
      const context = rest.pop();
      if (START_UP_NOISE.has(context)) return;
      if (typeof message !== 'object' || message === null) return this.logger[level]({ context, stack: rest[0] }, String(message));
      const fields = message instanceof Error ? { err: message } : message;
      this.logger[level]({ context, ...fields }, rest[0] as string | undefined);
    };
  }
}
