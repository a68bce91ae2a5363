import { type DynamicModule, Inject, Module, type NestModule } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Request, Response } from 'express';
import { PORTAL_OPTIONS, PORTAL_PATH, type PortalOptions } from './portal.options.js';
import { portalFiles } from './portal-files.js';
import { portalHeaders } from './portal-headers.js';

/**
 * Serves the portal, a static web application. Its files are public and not part of the API, so they are served outside the
 * controllers, like the documentation pages.
 */
@Module({})
export class PortalModule implements NestModule {
  static forRoot(options: PortalOptions): DynamicModule {
    return { module: PortalModule, providers: [{ provide: PORTAL_OPTIONS, useValue: options }] };
  }

  constructor(
    @Inject(PORTAL_OPTIONS) private readonly options: PortalOptions,
    private readonly host: HttpAdapterHost,
  ) {}

  /** Runs before the controllers' routes are added, and after the service's middleware. */
  configure(): void {
    const { httpAdapter } = this.host;
    const { configuration } = this.options;
    const headers = portalHeaders(configuration);
    httpAdapter.use(PORTAL_PATH, headers);
    httpAdapter.get(`${PORTAL_PATH}/config.json`, (_request: Request, response: Response) => {
      response.setHeader('cache-control', 'no-cache');
      response.json(configuration);
    });
    // Nest's type says that `next` may be missing; Express always passes it.
    httpAdapter.get(`${PORTAL_PATH}{/*path}`, portalFiles(this.options) as never);
  }
}
