export { listingDigest } from './cursor.js';
export * from './page.js';
export * from './page.response.js';
export * from './page-query.js';
export * from './send-page.js';
