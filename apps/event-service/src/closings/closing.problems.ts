import { Problem } from '@fibre/problems';

export const idempotencyKeyTaken = (): Problem =>
  new Problem({
    status: 422,
    code: 'idempotency-key-taken',
    title: 'The idempotency key is taken',
    detail: 'This Idempotency-Key was used within the last 24 hours for a different closing.',
    hint: 'Use a new key for each closing, and the same key only to retry that closing.',
  });
