import { ApiProblems } from '@fibre/problems';
import { applyDecorators } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiSecurity } from '@nestjs/swagger';

/** Name of the security scheme in the OpenAPI documents. */
export const SECURITY_SCHEME = 'oauth2';

/** What a route requires of the caller. */
export interface Authorization {
  /** Our names for the scopes, such as `coverage:read`; one of them is enough. */
  readonly anyOf: readonly [string, ...string[]];
  /** Whether the token must name a tenant. */
  readonly tenant: boolean;
}

export const AUTHORIZATION = Reflector.createDecorator<Authorization>();

/** Marks a route as open to callers without a token. */
export const Public = Reflector.createDecorator<true>();

/** Opens a route to tokens that have the scope, or one of several scopes, and, by default, a tenant. Also documents this in OpenAPI. */
export const Authorize = (scope: string | Authorization['anyOf'], { tenant = true } = {}): MethodDecorator & ClassDecorator => {
  const anyOf: Authorization['anyOf'] = typeof scope === 'string' ? [scope] : scope;
  return applyDecorators(
    AUTHORIZATION({ anyOf, tenant }),
    ...anyOf.map((each) => ApiSecurity(SECURITY_SCHEME, [each])),
    ApiProblems({ 401: ['token-missing', 'token-invalid'], 403: tenant ? ['scope-missing', 'tenant-missing'] : ['scope-missing'] }),
  );
};
