import { randomUUID } from 'node:crypto';
import { activationOf, EVENTS } from '../event-service/activation.js';
import { TENANT } from '../event-service/load-events.js';
import type { Token } from '../issuer.js';
import { type BenchRequest, NEW_ID, send } from '../requests.js';
import type { Server } from '../running.js';
import type { Scenario } from '../scenario.js';
import { PAGE_SIZE, walk } from '../walk.js';

const [PUT_CONNECTIONS, READ_CONNECTIONS, PAGE_CONNECTIONS] = [16, 16, 4];
const REPEATS = 1_000;
const [CREATED, FOUND] = [201, 200];

type Prepare = (onCitus: Server, onPlain: Server, token: Token) => Promise<Scenario>;
type Request = (server: Server, token: Token) => Promise<BenchRequest[]>;

/** The goal is a part of the rate of one PostgreSQL on the same machine. */
const compared =
  (
    title: string,
    { connections, goal, status = FOUND, scope = 'events:read' }: { connections: number; goal: number; status?: number; scope?: string },
    requests: Request,
  ): Prepare =>
  async (onCitus, onPlain, token) => ({
    title,
    token: await token(TENANT, scope),
    connections,
    first: { title: 'Citus', server: onCitus, requests: await requests(onCitus, token), status },
    second: { title: 'PostgreSQL', server: onPlain, requests: await requests(onPlain, token), status },
    goal: { atLeast: goal },
  });

/** Records events of entities of their own. @returns what was sent, and the bodies of the answers */
async function record(server: Server, token: Token): Promise<{ sent: BenchRequest[]; events: { event_id: string; entity_id: string }[] }> {
  const writer = await token(TENANT, 'events:write');
  const sent = Array.from({ length: REPEATS }, () => activationOf(randomUUID()));
  const events = [];
  for (const request of sent)
    events.push(JSON.parse((await send(server, request, writer, CREATED)).body) as { event_id: string; entity_id: string });
  return { sent, events };
}

export const citusScenarios: readonly Prepare[] = [
  compared('PUT of a new activation', { connections: PUT_CONNECTIONS, goal: 0.5, status: CREATED, scope: 'events:write' }, () =>
    Promise.resolve([activationOf(NEW_ID)]),
  ),
  compared(
    'Identical repeat',
    { connections: PUT_CONNECTIONS, goal: 0.6, scope: 'events:write' },
    async (server, token) => (await record(server, token)).sent,
  ),
  compared('One event by its id', { connections: READ_CONNECTIONS, goal: 0.6 }, async (server, token) =>
    (await record(server, token)).events.map(({ event_id }) => ({ path: `${EVENTS}/${event_id}` })),
  ),
  compared('`latest` of one entity', { connections: READ_CONNECTIONS, goal: 1 / 3 }, async (server, token) =>
    (await record(server, token)).events.map(({ entity_id }) => ({ path: `${EVENTS}/latest?entity_id=${entity_id}` })),
  ),
  compared(`List, page of ${PAGE_SIZE} in mid-walk`, { connections: PAGE_CONNECTIONS, goal: 1 / 5 }, async (server, token) =>
    walk(server, `${EVENTS}?_page_size=${PAGE_SIZE}`, await token(TENANT, 'events:read')),
  ),
  compared('List, first page of 100 with its count', { connections: PAGE_CONNECTIONS, goal: 1 / 5 }, () =>
    Promise.resolve([{ path: `${EVENTS}?_page_size=100` }]),
  ),
];
