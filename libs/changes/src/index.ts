export { ChangesModule, type ChangesOptions } from './changes.module.js';
export { SettledTime } from './settled-time.js';
