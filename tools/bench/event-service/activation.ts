import type { BenchRequest } from '../requests.js';

export const EVENTS = '/api/v2/sys/events';
export const ENTITIES = '/api/v2/sys/entities';

const activation = {
  event_type: 'activation' as const,
  event_at: '2026-02-01T16:00:00+01:00',
  event_timezone: 'Europe/Vienna',
  sys_attributes: { article_codes: ['FIBRE-100', 'VOICE'], partner_id: '7f2a1c9e-53b0-4d1c-9a3e-6f0d5b8e2c41' },
  usr_reference: 'order-2026-000001',
};

export type Activation = typeof activation & { entity_id: string };

/** The first event of an entity, as an operator's order system would record it. */
export const activationOf = (entityId: string): BenchRequest => ({
  path: EVENTS,
  method: 'PUT',
  body: JSON.stringify({ entity_id: entityId, ...activation } satisfies Activation),
});
