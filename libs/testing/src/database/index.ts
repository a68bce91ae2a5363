export * from './server-client.js';
