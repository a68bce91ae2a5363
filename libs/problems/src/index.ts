export * from './json-pointer.js';
export * from './problem.js';
export * from './problem.filter.js';
export * from './problem.response.js';
export * from './problems.js';
