export * from './auth.module.js';
export type { AuthOptions } from './auth.options.js';
export { AUTHORIZATION, type Authorization, Authorize, Public, SECURITY_SCHEME } from './authorize.decorator.js';
export type { Principal, Scopes } from './principal.js';
export * from './tenant.decorator.js';
