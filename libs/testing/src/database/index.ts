export * from './replicated-postgres.js';
export * from './server-client.js';
