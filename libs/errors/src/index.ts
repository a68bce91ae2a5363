export * from './bind.js';
export * from './checks.js';
export * from './fields.js';
export { MAX_BODY_BYTES, MERGE_PATCH } from './json-body.js';
export * from './problem.js';
export * from './problem.filter.js';
export * from './problem.response.js';
export * from './problems.js';
export * from './request-validation.guard.js';
