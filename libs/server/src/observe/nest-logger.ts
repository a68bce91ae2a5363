import type { LoggerService } from '@nestjs/common';
import type { Level, Logger } from 'pino';

/** At each start, Nest logs every module and route under these contexts; the routes are also in /metrics and the OpenAPI document. */
const START_UP_NOISE = new Set<unknown>(['InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestFactory', 'NestApplication']);

/** Writes the log of Nest and of a service's classes as JSON lines, with the class as `context`. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  fatal = this.writer('fatal');
  error = this.writer('error');
  warn = this.writer('warn');
  log = this.writer('info');
  debug = this.writer('debug');
  verbose = this.writer('trace');

  /** Nest passes the message, then its fields, text or stack, then the context. */
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
