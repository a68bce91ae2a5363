import { setTimeout as sleep } from 'node:timers/promises';
import { startTestIssuer, type TestIssuer } from '@fibre/testing';
import { activation, deactivation, notification, READ_WRITE, update } from './events.js';
import { MortalService } from './mortal-service.js';
import { type Answer, clientOf } from './traffic.js';

/** Replaceable for a long run. */
const REQUESTS = Number(process.env.CRASH_REQUESTS ?? 10_000);
const KILLS = Number(process.env.CRASH_KILLS ?? 10);
const CLIENTS = 32;
const PER_ENTITY = 10;
const RETRY_PAUSE_MS = 20;

let issuer: TestIssuer;
let stack: MortalService;

beforeAll(async () => {
  issuer = await startTestIssuer();
  stack = new MortalService(issuer.url);
  await stack.start();
});
afterAll(async () => {
  await stack.stop();
  await issuer.close();
});

/** A life and some notifications; request n of an entity may follow request n - 1 alone. */
function bodyOf(number: number): Record<string, unknown> {
  const entity = `00000000-0000-4000-8000-${Math.floor(number / PER_ENTITY)
    .toString(16)
    .padStart(12, '0')}`;
  const make = [activation, update, notification, update, deactivation, activation, notification, update, update, deactivation][
    number % PER_ENTITY
  ]!;
  return make(entity, 1 + (number % PER_ENTITY), { usr_reference: String(number) });
}

test('nothing that was acknowledged is missing and nothing is there twice, though service and database are killed again and again', async () => {
  const token = await issuer.token({ ...READ_WRITE, claims: { exp: Math.floor(Date.now() / 1_000) + 3_600 } });
  const { put, get } = clientOf(stack.url, token);
  const acknowledged = new Map<string, string>();
  const statuses = new Map<string, number>();
  const count = (status: string): unknown => statuses.set(status, (statuses.get(status) ?? 0) + 1);

  /** What a client does: the same request again until there is an answer. */
  const record = async (number: number): Promise<void> => {
    for (;;) {
      const answer = await put(bodyOf(number)).catch((error: Error): Answer => ({ status: 0, body: { code: error.message } }));
      const { event_id, code } = answer.body as { event_id: string; code?: string };
      count(answer.status === 0 ? 'no answer' : [answer.status, code].filter(Boolean).join(' '));
      if (answer.status === 200 || answer.status === 201) {
        acknowledged.set(String(number), event_id);
        return;
      }
      await sleep(RETRY_PAUSE_MS);
    }
  };
  let nextEntity = 0;
  const clients = Array.from({ length: CLIENTS }, async () => {
    for (let entity = nextEntity++; entity < REQUESTS / PER_ENTITY; entity = nextEntity++) {
      for (let step = 0; step < PER_ENTITY; step++) await record(entity * PER_ENTITY + step);
    }
  });

  // By progress, not by the clock: each kill hits requests that are under way.
  for (let kill = 1; kill <= KILLS; kill++) {
    while (acknowledged.size < (kill * REQUESTS) / (KILLS + 1)) await sleep(1);
    await (kill % 2 ? stack.killService() : stack.killDatabase());
  }
  await Promise.all(clients);

  expect([...statuses.keys()].filter((status) => !['200', '201', 'no answer', '503 unavailable'].includes(status))).toEqual([]);
  expect(statuses.get('no answer')).toBeGreaterThan(0);
  const stored = new Map<string, string>();
  for (let path: string | undefined = '?_page_size=2000'; path !== undefined;) {
    const { body, next } = await get(path);
    for (const { event_id, usr_reference } of body as { event_id: string; usr_reference: string }[]) {
      expect(stored.has(usr_reference)).toBe(false);
      stored.set(usr_reference, event_id);
    }
    path = next;
  }
  expect(stored.size).toBe(REQUESTS);
  expect([...acknowledged].filter(([number, id]) => stored.get(number) !== id)).toEqual([]);
});
