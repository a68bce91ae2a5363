export { listingDigest } from './cursor.js';
export * from './page.js';
export * from './page.interceptor.js';
export * from './page.response.js';
export * from './page-query.js';
