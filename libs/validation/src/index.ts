export { MAX_BODY_BYTES, MERGE_PATCH } from './json-body.js';
export { MAX_JSON_DEPTH } from './json-text.js';
export * from './request-validation.guard.js';
