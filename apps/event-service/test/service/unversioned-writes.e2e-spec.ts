import { faultsOfConditions, startTestService, type TestService } from '@fibre/testing';
import { eventService } from '../../src/event-service.js';
import { EVENTS } from '../events/events.js';

let service: TestService;
beforeAll(async () => void (service = await startTestService(eventService)));
afterAll(() => service.close());

test('If-Match and If-None-Match are refused by every write that has no version to compare', async () => {
  const document = (await service.anonymous().get(`${EVENTS}openapi.json`)).body as never;
  const token = await service.issuer.token({ scope: 'events:read events:write events:erase' });
  expect(await faultsOfConditions(document, service.url, token)).toEqual([]);
});
