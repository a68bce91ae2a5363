import { Problem } from '@fibre/problems';

/** @param most webhooks that a tenant may have */
export const tooManyWebhooks = (most: number): Problem =>
  new Problem({
    status: 409,
    code: 'too-many-webhooks',
    title: 'Too many webhooks',
    detail: `Your tenant already has ${most} webhooks, the maximum.`,
    hint: 'Delete one that you no longer need.',
  });
