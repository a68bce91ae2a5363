export * from './bootstrap.js';
export * from './create-app.js';
export * from './migrate-service.js';
export { type ApiDescription, buildOpenApi } from './open-api.js';
export { Reply } from './reply.js';
export * from './server.env.js';
export * from './server.module.js';
export * from './service-definition.js';
export * from './write-open-api.js';
