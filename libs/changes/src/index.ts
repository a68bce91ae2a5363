export { ChangesModule } from './changes.module.js';
export { ChangesQuery } from './changes.requests.js';
export { CHANGE_FEEDS, type FeedOwner, LEAST_ID, ListedFeed, SETTLED_UNTIL } from './listed-feed.js';
export { SettledTime } from './settled-time.js';
export { ANNOUNCE, UNSETTLED_SINCE, UnsettledSince } from './unsettled-since.sql.js';
export { WRITE_TIME, WriteTime } from './write-time.sql.js';
export { Webhook } from './webhooks/webhook.entity.js';
export { WEBHOOK_TABLE } from './webhooks/webhook-table.sql.js';
export { type WebhooksOptions, WebhooksModule } from './webhooks/webhooks.module.js';
