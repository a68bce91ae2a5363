import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectNoValuesInLog } from '@fibre/testing';

const document = JSON.parse(readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8')) as never;
const SCOPES = 'events:read events:write';

test('the log has no value of any field, whether a request succeeds, is refused, or fails in the database', () =>
  expectNoValuesInLog('event-service', document, SCOPES, ['event', 'timeline', 'isp', 'webhook'], (mark) => [
    { method: 'POST', path: '/api/v2/sys/isps/', body: { name: mark, email: `${mark}@person.example`, comment: mark } },
    { method: 'POST', path: '/api/v2/sys/webhooks/', body: { url: `https://${mark}.example/`, feed: 'events', description: mark } },
    {
      method: 'PUT',
      path: '/api/v2/sys/events/',
      body: {
        entity_id: randomUUID(),
        event_type: 'activation',
        event_at: '2026-02-01T16:00:00+01:00',
        sys_attributes: { partner_id: randomUUID(), article_codes: [mark], option82: mark, partner_reference: mark },
        usr_reference: mark,
        usr_attributes: { [mark]: mark },
        comment: mark,
      },
    },
  ]));
