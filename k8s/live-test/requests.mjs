// Requests to the two APIs.
import { randomUUID } from 'node:crypto';

const EVENTS = '/api/v2/sys/events';
const NODES = '/v2/cov/nodes';

const place = () => `${(48 + Math.random()).toFixed(6)}, ${(16 + Math.random()).toFixed(6)}`;

/** A request that records an event for a new entity. */
export const putEvent = () => {
  const sysAttributes = { partner_id: randomUUID(), article_codes: ['FIBRE-100'] };
  return {
    method: 'PUT',
    path: EVENTS,
    body: { entity_id: randomUUID(), event_type: 'activation', event_at: '2026-02-01T16:00:00+01:00', sys_attributes: sysAttributes },
  };
};
export const listEvents = () => ({ method: 'GET', path: `${EVENTS}?_page_size=20` });

export const postNode = () => ({ method: 'POST', path: NODES, body: { relation_id: randomUUID(), token: 'operation', center: place() } });
export const listNodes = () => ({ method: 'GET', path: `${NODES}?_page_size=20` });
export const search = () => ({ method: 'GET', path: `/v2/cov/search?center=${encodeURIComponent(place())}&search_radius=20000` });
export const readNode = (id) => ({ method: 'GET', path: `${NODES}/${id}` });
export const patchNode = (id) => ({ method: 'PATCH', path: `${NODES}/${id}`, body: { technology: 'ftth' } });
