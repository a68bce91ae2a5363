import { ApiProblems } from '@fibre/problems';
import { applyDecorators } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiSecurity } from '@nestjs/swagger';

/** Name of the security scheme in the OpenAPI documents. */
export const SECURITY_SCHEME = 'oauth2';

/** What a caller needs for a route. */
export interface Authorization {
  /** Our name of the scope, `coverage:read`. */
  readonly scope: string;
  /** Whether the route works on the caller's tenant. */
  readonly tenant: boolean;
}

export const AUTHORIZATION = Reflector.createDecorator<Authorization>();

/** Marks a route as open to callers without a token. */
export const Public = Reflector.createDecorator<true>();

/**
 * Opens a route to callers whose token has the scope and, unless said otherwise, names a tenant.
 * What is enforced is what the OpenAPI document says.
 */
export const Authorize = (scope: string, { tenant = true } = {}): MethodDecorator & ClassDecorator =>
  applyDecorators(
    AUTHORIZATION({ scope, tenant }),
    ApiSecurity(SECURITY_SCHEME, [scope]),
    ApiProblems({ 401: ['token-missing', 'token-invalid'], 403: tenant ? ['scope-missing', 'tenant-missing'] : ['scope-missing'] }),
  );
