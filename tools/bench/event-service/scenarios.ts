import { randomUUID } from 'node:crypto';
import { type BenchRequest, NEW_ID, send } from '../requests.js';
import { COMPARED, expectSame, expectSameAnswers } from '../same-answers.js';
import { againstBare, type Contestant } from '../scenario.js';
import type { Running, Server } from '../running.js';
import type { Suite } from '../suite.js';
import { PAGE_SIZE, walk } from '../walk.js';
import { activationOf, ENTITIES, EVENTS } from './activation.js';
import { TENANT } from './load-events.js';

const [PAGE_CONNECTIONS, CONNECTIONS] = [8, 16];
const [FIRST_PAGE, FIRST_LATEST] = [`${EVENTS}?_page_size=${PAGE_SIZE}`, `${EVENTS}/latest?_page_size=${PAGE_SIZE}`];
/** Of entities, whose pages a person looks at. */
const [ENTITIES_SIZE, DEEP_PAGE] = [100, 1_000];
const FIRST_ENTITIES = { requests: [{ path: `${ENTITIES}?_page_size=${ENTITIES_SIZE}` }], status: 200 };
/** Events that are recorded before, to be repeated. */
const REPEATS = 2_000;
const [CREATED, FOUND] = [201, 200];
const newActivations = { requests: [activationOf(NEW_ID)], status: CREATED };

export const eventScenarios: Suite['scenarios'] = {
  'latest-growth': async (running) => {
    const token = await running.token(TENANT, 'events:read');
    const latest = async (server: Server): Promise<Contestant> =>
      onTable(server, { requests: await walk(server, FIRST_LATEST, token), status: 200 });
    const [first, second] = [await latest(running.services[0]!), await latest(running.service)];
    return {
      title: `Time of a page of ${PAGE_SIZE} of \`latest\``,
      token,
      connections: PAGE_CONNECTIONS,
      first,
      second,
      goal: { atMost: 1.2 },
    };
  },
  'entities-growth': async (running) => {
    const token = await running.token(TENANT, 'events:read');
    const [first, second] = [onTable(running.services[0]!, FIRST_ENTITIES), onTable(running.service, FIRST_ENTITIES)];
    const title = `Time of the first page of ${ENTITIES_SIZE} entities, count included`;
    return { title, token, connections: PAGE_CONNECTIONS, first, second, goal: { atMost: 1.2 } };
  },
  'entities-depth': async ({ service: server, ...running }) => {
    const token = await running.token(TENANT, 'events:read');
    const walked = await walk(server, FIRST_ENTITIES.requests[0]!.path, token, DEEP_PAGE - 1);
    const first = { title: 'First page, count included', server, ...FIRST_ENTITIES };
    const second = { title: `Page ${walked.length + 1}`, server, requests: walked.slice(-1), status: 200 };
    const title = `Time of a page of ${ENTITIES_SIZE} entities late in a walk`;
    return { title, token, connections: PAGE_CONNECTIONS, first, second, goal: { atMost: 1.1 } };
  },
  'put-growth': async (running) => {
    const token = await running.token(TENANT, 'events:write');
    const [first, second] = [onTable(running.services[0]!, newActivations), onTable(running.service, newActivations)];
    return { title: 'Time of a PUT of a new activation', token, connections: CONNECTIONS, first, second, goal: { atMost: 1.1 } };
  },
  'list-page': async (running) => {
    const token = await running.token(TENANT, 'events:read');
    const requests = await walk(running.service, FIRST_PAGE, token);
    await expectSameAnswers(running, requests, token, JSON.parse);
    // On the small table too, so that the two services have the same past and are as warm.
    await walk(running.services[0]!, FIRST_PAGE, token);
    const title = `List, page of ${PAGE_SIZE} in mid-walk`;
    return againstBare(running, { title, token, connections: PAGE_CONNECTIONS, requests, status: 200, goal: { atLeast: 0.95 } });
  },
  'put-new': async (running) => {
    const token = await running.token(TENANT, 'events:write');
    for (let i = 0; i < COMPARED; i++) await compareRecording(running, token);
    return againstBare(running, {
      title: 'PUT of a new activation',
      token,
      connections: CONNECTIONS,
      ...newActivations,
      goal: { atLeast: 0.8 },
    });
  },
  'repeat-one': async (running) => {
    const token = await running.token(TENANT, 'events:write');
    const requests = await recordOn([running.service], token);
    await expectSameAnswers(running, requests, token, JSON.parse);
    return againstBare(running, {
      title: 'PUT of an event that is there',
      token,
      connections: CONNECTIONS,
      requests,
      status: FOUND,
      goal: { atLeast: 0.8 },
    });
  },
  'read-one': async (running) => {
    const token = await running.token(TENANT, 'events:read');
    const { body } = await send(running.service, { path: FIRST_PAGE }, token);
    const requests = (JSON.parse(body) as { event_id: string }[]).map(({ event_id }) => ({ path: `${EVENTS}/${event_id}` }));
    await expectSameAnswers(running, requests, token, JSON.parse);
    return againstBare(running, {
      title: 'Read one by its id',
      token,
      connections: CONNECTIONS,
      requests,
      status: 200,
      goal: { atLeast: 0.8 },
    });
  },
  'put-repeat': async ({ services, service: server, ...running }) => {
    const token = await running.token(TENANT, 'events:write');
    // On the small table too, as above.
    const requests = await recordOn(services, token);
    const first = { title: 'Identical repeat', server, requests, status: FOUND };
    const second = { title: 'New activation', server, ...newActivations };
    return { title: 'PUT, repeated or new', token, connections: CONNECTIONS, first, second, goal: { atLeast: 1 } };
  },
};

const onTable = (server: Server, load: { requests: BenchRequest[]; status: number }): Contestant => ({
  title: `Table of ${server.records.toLocaleString('en-GB')} events`,
  server,
  ...load,
});

/** @returns activations that each of the servers has recorded */
async function recordOn(servers: readonly Server[], token: string): Promise<BenchRequest[]> {
  const requests = Array.from({ length: REPEATS }, () => activationOf(randomUUID()));
  for (const server of servers) for (const request of requests) await send(server, request, token, CREATED);
  return requests;
}

/** Each side repeats what the other has recorded. */
async function compareRecording({ service, bare }: Running, token: string): Promise<void> {
  for (const [recorder, repeater] of [
    [service, bare],
    [bare, service],
  ] as const) {
    const request = activationOf(randomUUID());
    const recorded = await send(recorder, request, token, CREATED);
    const repeated = await send(repeater, request, token, FOUND);
    expectSame(request, JSON.parse(recorded.body), JSON.parse(repeated.body));
  }
}
