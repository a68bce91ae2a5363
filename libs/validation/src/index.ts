export type { BodyAdmission } from './admission.js';
export { MAX_BODY_BYTES } from './json-body.js';
export { inspectJson, MAX_JSON_DEPTH } from './json-text.js';
export { InvalidParts, readPart } from './request-part.js';
export * from './request-validation.guard.js';
export { admitStream, BodyStream, type StreamedBody } from './streamed-body.js';
