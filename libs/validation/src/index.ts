export * from './bind.js';
export { MAX_BODY_BYTES, MERGE_PATCH } from './json-body.js';
export * from './request-validation.guard.js';
