import { posix } from 'node:path';
import { AUTHORIZATION, type Authorization, Public } from '@fibre/auth';
import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/internal';
import { DiscoveryService, MetadataScanner, ModulesContainer } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';

/** An operation, as its decorators declare it. */
export interface DeclaredRoute {
  readonly method: string;
  /** With parameters as `:name`. */
  readonly path: string;
  /** `undefined` for a public or closed route. */
  readonly authorization: Authorization | undefined;
  readonly isPublic: boolean;
}

/** Every route of an application, found in its controllers, so that new routes are tested without being listed. */
export function declaredRoutes(app: NestExpressApplication): DeclaredRoute[] {
  const controllers = new DiscoveryService(app.get(ModulesContainer)).getControllers();
  return controllers.flatMap(({ metatype }) => {
    const type = metatype as Type<object>;
    const prototype = type.prototype as Record<string, object>;
    return new MetadataScanner().getAllMethodNames(prototype).flatMap((name): DeclaredRoute[] => {
      const handler = prototype[name]!;
      const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
      if (method === undefined) return [];
      const paths = [Reflect.getMetadata(PATH_METADATA, type) as string, Reflect.getMetadata(PATH_METADATA, handler) as string];
      const declared = <T>(key: string): T | undefined =>
        (Reflect.getMetadata(key, handler) ?? Reflect.getMetadata(key, type)) as T | undefined;
      return [
        {
          method: RequestMethod[method],
          path: posix.join('/', ...paths).replace(/(.)\/$/, '$1'),
          authorization: declared(AUTHORIZATION.KEY),
          isPublic: declared(Public.KEY) === true,
        },
      ];
    });
  });
}
