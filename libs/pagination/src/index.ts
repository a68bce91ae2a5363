export { Cursor, listingDigest } from './cursor.js';
export * from './page.interceptor.js';
export * from './page.js';
export * from './page-query.js';
export * from './paginated.decorator.js';
