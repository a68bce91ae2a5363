export * from './json-pointer.js';
export * from './problem.js';
export * from './problem.filter.js';
export { resetConnection } from './reset-connection.js';
export * from './problem.response.js';
export * from './problems.js';
