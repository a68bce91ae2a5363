import { type Temporal } from 'temporal-polyfill';
import { type EventRequest } from './event.js';
import { eventAt } from './times.js';

/** An internet service provider; made up. */
const PARTNER_ID = '6a1c5b52-7d0e-4c38-9f55-0d9f3c1e8a27';

type Time = Temporal.ZonedDateTime;

export function activation(entity_id: string, at: Time): EventRequest {
  const sys_attributes = { partner_id: PARTNER_ID, article_codes: ['FIBRE-100'] };
  return { entity_id, event_type: 'activation', event_at: eventAt(at), sys_attributes };
}

export function update(entity_id: string, at: Time, article: string): EventRequest {
  return { entity_id, event_type: 'update', event_at: eventAt(at), sys_attributes: { article_codes: [article] } };
}

export function deactivation(entity_id: string, at: Time): EventRequest {
  return { entity_id, event_type: 'deactivation', event_at: eventAt(at) };
}

export function notification(entity_id: string, at: Time, comment: string): EventRequest {
  return { entity_id, event_type: 'notification', event_at: eventAt(at), comment };
}
