import { type DynamicModule, Inject, Module, type NestModule } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

const ORIGINS = Symbol('origins');
const METHODS = ['GET', 'HEAD', 'PUT', 'POST', 'PATCH', 'DELETE'];
/** What pages may send besides what they always may. */
const ALLOWED = ['authorization', 'content-type', 'idempotency-key', 'if-match', 'if-none-match', 'namespace', 'x-request-id'];
/** What pages may read besides what they always may. */
const EXPOSED = [
  ...['etag', 'link', 'location', 'retry-after', 'www-authenticate'],
  ...['x-page-count', 'x-page-size', 'x-recorded-until', 'x-request-id'],
];
/** How long a browser need not ask again, in seconds. */
const MAX_AGE = 600;

/** Lets pages of other origins call the API (the CORS protocol of the Fetch standard): the portal, where it is on another host. */
@Module({})
export class CrossOriginModule implements NestModule {
  static forOrigins(origins: readonly string[]): DynamicModule {
    return { module: CrossOriginModule, providers: [{ provide: ORIGINS, useValue: origins }] };
  }

  constructor(
    @Inject(ORIGINS) private readonly origins: readonly string[],
    private readonly host: HttpAdapterHost,
  ) {}

  configure(): void {
    // No cookie and no other credential of the browser is of any use here; the token comes in a header that the page sets.
    this.host.httpAdapter.enableCors({
      origin: [...this.origins],
      credentials: false,
      methods: METHODS,
      allowedHeaders: ALLOWED,
      exposedHeaders: EXPOSED,
      maxAge: MAX_AGE,
    });
  }
}
