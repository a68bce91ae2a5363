import { ENTITY, type EntityAnswer, type EntityRequest } from './entity.js';
import { type Kind, pick } from './kind.js';
import { send } from './stack.js';

interface Event {
  event_id: string;
  event_type: string;
  event_at: string;
  usr_reference: string;
}
const EVENTS = '/api/v2/sys/events/';
const TYPES = ['activation', 'activation', 'update', 'update', 'deactivation', 'notification'];

/** @param partners the ISPs that activations name */
export const entitiesOf = (partners: readonly string[]): Kind<EntityRequest, EntityAnswer> => ({
  model: ENTITY,
  lists: [{ do: 'list' }],
  choose() {
    if (Math.random() < 0.3) return { do: 'list' };
    const type = pick(TYPES);
    const at = `2026-01-0${1 + Math.floor(Math.random() * 5)}`;
    const partner_reference = type === 'deactivation' || type === 'notification' ? undefined : pick([undefined, 'a']);
    const partner_id = type === 'activation' ? pick(partners) : undefined;
    return { do: 'put', type, at, partner_id, partner_reference, usr_reference: pick(['1', '2']) };
  },
  request(entity_id, input, url, token) {
    if (input.do === 'list') return send('GET', `${url}${EVENTS}?entity_id=${entity_id}`, token);
    const { type, at, partner_id, partner_reference, usr_reference } = input;
    const attributes: Record<string, object> = {
      activation: { partner_id, article_codes: ['FIBRE-100'], partner_reference },
      update: { article_codes: ['FIBRE-250'], partner_reference },
    };
    return send('PUT', `${url}${EVENTS}`, token, {
      entity_id,
      event_type: type,
      event_at: `${at}T12:00:00+01:00`,
      usr_reference,
      ...(type in attributes && { sys_attributes: attributes[type] }),
    });
  },
  output(input, { status, body }) {
    const events = status < 300 ? (input.do === 'list' ? (body as Event[]) : [body as Event]) : undefined;
    return {
      status,
      code: status === 409 ? (body as { code: string }).code : undefined,
      events: events?.map(({ event_id, event_type: type, event_at, usr_reference }) => ({
        event_id,
        type,
        usr_reference,
        at: event_at.slice(0, 10),
      })),
    };
  },
  idsOf: ({ events = [] }) => events.map(({ event_id }) => event_id),
});
