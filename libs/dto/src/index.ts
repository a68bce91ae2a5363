export * from './count.response.js';
export * from './author.js';
export * from './entity-tag.js';
export * from './field-decorators.js';
export * from './key-text.js';
export * from './timestamp.js';
export * from './unset.js';
export * from './value-checks.js';
