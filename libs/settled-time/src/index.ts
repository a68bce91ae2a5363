export { SettledTimeModule } from './settled-time.module.js';
export { SettledTime } from './settled-time.js';
export { ANNOUNCE, UNSETTLED_SINCE, UnsettledSince } from './unsettled-since.sql.js';
export { WRITE_TIME, WriteTime } from './write-time.sql.js';
