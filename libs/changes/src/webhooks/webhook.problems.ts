import { Problem } from '@fibre/problems';
import { MAX_WEBHOOKS } from './webhook.js';

export const tooManyWebhooks = (): Problem =>
  new Problem({
    status: 409,
    code: 'too-many-webhooks',
    title: 'Too many webhooks',
    detail: `Your tenant already has ${MAX_WEBHOOKS} webhooks, the maximum.`,
    hint: 'Delete one that you no longer need.',
  });
