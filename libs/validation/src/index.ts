export { InvalidParts, readPart } from './request-part.js';
export * from './request-validation.guard.js';
