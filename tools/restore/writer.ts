import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { send } from '../history/stack.js';

const EVENTS = '/api/v2/sys/events/';
const PARTNER = '11111111-1111-4111-8111-111111111111';

/** Records an event after the other, as fast as they are acknowledged, and remembers when each was. */
export class SteadyWriter {
  readonly acknowledged: { readonly event_id: string; readonly at: number }[] = [];
  private readonly over = new AbortController();
  private readonly done: Promise<void>;

  constructor(
    private readonly url: string,
    private readonly token: string,
    private readonly pauseMs: number,
  ) {
    this.done = this.run();
  }

  async stop(): Promise<void> {
    this.over.abort();
    await this.done;
  }

  private async run(): Promise<void> {
    while (!this.over.signal.aborted) {
      const body = {
        entity_id: randomUUID(),
        event_type: 'activation',
        event_at: '2026-01-01T12:00:00+01:00',
        sys_attributes: { partner_id: PARTNER, article_codes: ['FIBRE-100'] },
      };
      const answer = await send('PUT', this.url + EVENTS, this.token, body).catch(() => undefined);
      if (answer?.status === 201) this.acknowledged.push({ event_id: (answer.body as { event_id: string }).event_id, at: Date.now() });
      await sleep(this.pauseMs);
    }
  }
}
