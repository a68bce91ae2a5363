export { ChangesModule } from './changes.module.js';
export { ChangesQuery } from './changes.requests.js';
export { CHANGE_FEEDS, type FeedOwner, ListedFeed, SETTLED_UNTIL } from './listed-feed.js';
export { SettledTime } from './settled-time.js';
export { Webhook1764892800000, WebhookSince1765238400000 } from './webhook.migration.js';
export { Webhook } from './webhooks/webhook.entity.js';
export { type WebhooksOptions, WebhooksModule } from './webhooks/webhooks.module.js';
