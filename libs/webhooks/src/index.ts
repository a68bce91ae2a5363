export { Webhook } from './webhook.entity.js';
export { WEBHOOK_TABLE } from './webhook-table.sql.js';
export { type WebhooksOptions, WebhooksModule } from './webhooks.module.js';
