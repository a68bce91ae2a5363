import { readFile } from 'node:fs/promises';
import { TIME_ZONE_RELEASE } from '@fibre/dto';
import { documentFaults, faultsOfPreciseTimes, missingCosts, startTestService, type TestService } from '@fibre/testing';
import { eventService } from '../../src/event-service.js';
import { activation, EVENTS, newEntity, newTenant, notification } from '../events/events.js';

let service: TestService;
let document: any;

beforeAll(async () => {
  service = await startTestService(eventService);
  document = (await service.anonymous().get(`${EVENTS}openapi.json`)).body;
});
afterAll(() => service.close());

test('the document follows our rules', () => {
  expect(documentFaults(document)).toEqual([]);
});

test('docs/operations.md says what each request may cost', () => {
  expect(missingCosts(service.app)).toEqual([]);
});

test('apart from the token endpoint and the zone release, the document equals the committed openapi.json (npm run openapi)', async () => {
  const committed = JSON.parse(await readFile(new URL('../../openapi.json', import.meta.url), 'utf8'));
  const { tokenUrl } = document.components.securitySchemes.oauth2.flows.clientCredentials;
  committed.components.securitySchemes.oauth2.flows.clientCredentials.tokenUrl = tokenUrl;
  committed.info.description += `\n\nTime zones are those of tz database ${TIME_ZONE_RELEASE}.`;
  expect(document).toEqual(committed);
});

test('every time in a query may have any number of zeros after its microseconds, and nothing else', async () => {
  const client = await service.as({ scope: 'events:read charges:read' });
  const { times, faults } = await faultsOfPreciseTimes(document, (path, query) => client.get(path).query(query));
  expect(faults).toEqual([]);
  expect(times).toBeGreaterThan(15);
});

test('the examples in the document form one timeline with an event of every type, and can be sent repeatedly', async () => {
  const client = await service.as({ scope: 'events:read events:write' });
  const { schema, examples } = document.paths['/api/v2/sys/events'].put.requestBody.content['application/json'];
  const bodies: any[] = Object.values(examples).map((example: any) => example.value);
  expect(bodies.map(({ event_type }) => event_type).sort()).toEqual(Object.keys(schema.discriminator.mapping).sort());
  for (const status of [201, 200, 200]) {
    for (const body of bodies) expect([body, (await client.put(EVENTS).send(body)).status]).toEqual([body, status]);
  }
  expect((await client.get(EVENTS)).body).toHaveLength(bodies.length);
});

test('the document lists every member of an event, and says which are always present', async () => {
  const { put } = await newTenant(service);
  const whole = { usr_reference: 'r', usr_attributes: {}, comment: 'c' };
  const entity = newEntity();
  await put(activation(entity, 1));
  const response = await put(activation(entity, 1, whole));
  const { EventResponse, ActivationRequest, DeactivationRequest } = document.components.schemas;
  const members = Object.keys(EventResponse.properties as object);
  expect(Object.keys(response.body as object)).toEqual(members.filter((name) => name !== 'erased_at'));
  const bare = (await put(notification(newEntity(), 1))).body as object;
  // A token without a name leaves no author.
  expect(EventResponse.required).toEqual(Object.keys(bare).filter((name) => name !== 'created_by'));
  const always = ['entity_id', 'event_type', 'event_at'];
  expect([...(ActivationRequest.required as string[])].sort()).toEqual([...always, 'sys_attributes'].sort());
  expect([...(DeactivationRequest.required as string[])].sort()).toEqual(always.sort());
});
