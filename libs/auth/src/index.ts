export { Authentication, BearerGuard } from './authentication.js';
export * from './auth.options.js';
export { AUTHORIZATION, type Authorization, Authorize, Public, SECURITY_SCHEME } from './authorize.decorator.js';
export { JwtStrategy } from './jwt.strategy.js';
export { KeySet } from './key-set.js';
export * from './principal.js';
