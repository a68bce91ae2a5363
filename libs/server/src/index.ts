export * from './start/bootstrap.js';
export * from './http/create-app.js';
export * from './start/migrate-service.js';
export { type ApiDescription, buildOpenApi } from './openapi/open-api.js';
export { HttpAnswer } from './http/http-answer.js';
export * from './start/server.env.js';
export * from './server.module.js';
export * from './start/service-definition.js';
export * from './openapi/write-open-api.js';
