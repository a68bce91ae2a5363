import { randomUUID } from 'node:crypto';
import { activationOf, EVENTS } from '../event-service/activation.js';
import { TENANT } from '../event-service/load-events.js';
import type { Token } from '../issuer.js';
import { type BenchRequest, send } from '../requests.js';
import { median } from '../rounds.js';
import type { Server } from '../running.js';

const [WRITERS, ROUNDS] = [40, 15];
const FIRST_UPDATE = Date.UTC(2026, 1, 2);
const CREATED = 201;

/** How long it takes to record updates of one entity that all come at once. */
export async function conflicts(onCitus: Server, onPlain: Server, token: Token) {
  const writer = await token(TENANT, 'events:write');
  const [first, second]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    first.push(await crowd(onCitus, writer));
    second.push(await crowd(onPlain, writer));
  }
  const ratio = median(first.map((ms, i) => ms / second[i]!));
  return { title: `${WRITERS} updates of one entity at once`, first: median(first), second: median(second), ratio, goal: 2.5 };
}

async function crowd(server: Server, token: string): Promise<number> {
  const entityId = randomUUID();
  await send(server, activationOf(entityId), token, CREATED);
  const begin = performance.now();
  await Promise.all(Array.from({ length: WRITERS }, (_, index) => send(server, updateOf(entityId, index), token, CREATED)));
  return performance.now() - begin;
}

const updateOf = (entityId: string, index: number): BenchRequest => ({
  path: EVENTS,
  method: 'PUT',
  body: JSON.stringify({
    entity_id: entityId,
    event_type: 'update',
    event_at: new Date(FIRST_UPDATE + index * 60_000).toISOString().replace('Z', '+01:00'),
    sys_attributes: { article_codes: [`FIBRE-${index}`] },
  }),
});
