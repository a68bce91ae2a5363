export * from './database/clone-database.js';
export * from './database/jest-global-setup.js';
export * from './database/jest-global-teardown.js';
export * from './database/least-privilege.js';
export * from './document-faults.js';
export * from './protected-routes.js';
export * from './test-issuer.js';
export * from './test-service.js';
