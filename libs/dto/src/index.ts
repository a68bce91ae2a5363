export * from './checks.js';
export { Check, Convert, Rule, rulesOf } from './field-rules.js';
export * from './fields.js';
export { parseTimestamp } from './timestamp.js';
