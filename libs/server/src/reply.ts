import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';

/** An answer that needs more than a body: headers that depend on the record, or another status than the route's. */
export class Reply<T> {
  constructor(
    readonly body: T,
    readonly headers: Readonly<Record<string, string>>,
    readonly status?: number,
  ) {}
}

/** Sends a {@link Reply}. With an `etag` in it, Express answers a matching `If-None-Match` by 304 on its own. */
@Injectable()
export class ReplyInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      map((result: unknown) => {
        if (!(result instanceof Reply)) return result;
        const response = context.switchToHttp().getResponse<Response>();
        response.set(result.headers);
        if (result.status !== undefined) response.status(result.status);
        return result.body as unknown;
      }),
    );
  }
}
