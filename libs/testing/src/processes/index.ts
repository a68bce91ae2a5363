export * from './free-port.js';
export * from './leave-early.js';
export * from './libre-office.js';
export * from './program.js';
export * from './service-process.js';
export * from './tcp-relay.js';
export * from '../test-issuer.js';
export * from '../until.js';
