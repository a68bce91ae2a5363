import { setTimeout as sleep } from 'node:timers/promises';
import { activation, deactivation, notification, update } from '../events/events.js';
import { type Answer, clientOf } from './traffic.js';

const CLIENTS = 32;
const PER_ENTITY = 10;
/** Much shorter than Retry-After; without any pause, the retries would take CPU time from the process that is restarting. */
const RETRY_PAUSE_MS = 100;

/** Many clients that record events and repeat each request until they get a response. */
export class AcknowledgedTraffic {
  /** Event ids, keyed by request number. */
  readonly acknowledged = new Map<string, string>();
  /** Number of attempts by answer: the status, with the code if it is a problem, or `no answer`. */
  readonly answers = new Map<string, number>();
  private readonly client: ReturnType<typeof clientOf>;
  private nextEntity = 0;

  constructor(
    url: string,
    token: string,
    private readonly requests: number,
  ) {
    this.client = clientOf(url, token);
  }

  /** Records everything. */
  async run(): Promise<void> {
    await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        for (let entity = this.nextEntity++; entity < this.requests / PER_ENTITY; entity = this.nextEntity++) {
          for (let step = 0; step < PER_ENTITY; step++) await this.record(entity * PER_ENTITY + step);
        }
      }),
    );
  }

  /**
   * Waits until this share of the requests has been acknowledged, so that the next step happens while requests are in flight, however fast
   * the machine is.
   */
  async reaches(part: number): Promise<void> {
    while (this.acknowledged.size < part * this.requests) await sleep(1);
  }

  /** Reads everything back. @throws Error if an event exists twice */
  async stored(): Promise<Map<string, string>> {
    const stored = new Map<string, string>();
    for (let path: string | undefined = '?_page_size=2000'; path !== undefined;) {
      const { body, next } = await this.client.get(path);
      for (const { event_id, usr_reference } of body as { event_id: string; usr_reference: string }[]) {
        if (stored.has(usr_reference)) throw new Error(`request ${usr_reference} was recorded twice`);
        stored.set(usr_reference, event_id);
      }
      path = next;
    }
    return stored;
  }

  private async record(number: number): Promise<void> {
    for (;;) {
      const answer = await this.client.put(bodyOf(number)).catch((error: Error): Answer => ({ status: 0, body: { code: error.message } }));
      const { event_id, code } = answer.body as { event_id: string; code?: string };
      const key = answer.status === 0 ? 'no answer' : [answer.status, code].filter(Boolean).join(' ');
      this.answers.set(key, (this.answers.get(key) ?? 0) + 1);
      if (answer.status === 200 || answer.status === 201) {
        this.acknowledged.set(String(number), event_id);
        return;
      }
      await sleep(RETRY_PAUSE_MS);
    }
  }
}

/** Request bodies for a complete subscription and some notifications; request n of an entity must follow request n - 1. */
function bodyOf(number: number): Record<string, unknown> {
  const entity = `00000000-0000-4000-8000-${Math.floor(number / PER_ENTITY)
    .toString(16)
    .padStart(12, '0')}`;
  const make = [activation, update, notification, update, deactivation, activation, notification, update, update, deactivation][
    number % PER_ENTITY
  ]!;
  return make(entity, 1 + (number % PER_ENTITY), { usr_reference: String(number) });
}
