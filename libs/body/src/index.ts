export type { BodyAdmission } from './admission.js';
export { MAX_BODY_BYTES, readJsonBody } from './json-body.js';
export { inspectJson, MAX_JSON_DEPTH } from './json-text.js';
export { admitStream, BodyStream, type StreamedBody } from './streamed-body.js';
