export { Cursor } from './cursor.js';
export * from './page.interceptor.js';
export * from './page.js';
export * from './paginated.decorator.js';
