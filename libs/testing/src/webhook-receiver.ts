import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** A CloudEvent in a batch. */
export interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly time: string;
  readonly data: { readonly change: string; readonly changed_at: string };
}

/** A batch with a valid signature. */
export interface ReceivedBatch {
  readonly id: string;
  readonly events: readonly ReceivedEvent[];
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** Returns a function that responds with this status. */
export const respondWith =
  (status: number) =>
  (response: ServerResponse): unknown =>
    response.writeHead(status).end();

/** Receives batches, verifies their signatures with the Standard Webhooks package, and keeps them. */
export class WebhookReceiver {
  readonly batches: ReceivedBatch[] = [];
  /** The batches to which it responded with success: the sender may count only these as delivered. */
  readonly accepted: ReceivedBatch[] = [];
  readonly unverified: unknown[] = [];
  readonly secrets: string[] = [];
  connections = 0;
  respond: (response: ServerResponse, batch: ReceivedBatch) => unknown = respondWith(204);
  private server!: Server;
  private port = 0;

  constructor(private readonly host = '127.0.0.1') {}

  async start(): Promise<this> {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => this.take(request, Buffer.concat(chunks), response));
    }).on('connection', () => this.connections++);
    await new Promise<void>((resolve) => this.server.listen(this.port, this.host, resolve));
    this.port = (this.server.address() as AddressInfo).port;
    return this;
  }

  /** After a restart, the receiver has the same URL. */
  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  urlOf(host = this.host): string {
    return `http://${host}:${this.port}/hook`;
  }

  get events(): ReceivedEvent[] {
    return this.batches.flatMap(({ events }) => events);
  }

  /** Invalid signatures, events that were repeated under a different batch id, and events that arrived out of order. */
  faults(): unknown[] {
    const batchOf = new Map<string, string>();
    const faults = [...this.unverified];
    let last = '';
    for (const { id, events } of this.batches) {
      for (const event of events) {
        const [key, before] = [`${event.time} ${event.subject}`, batchOf.get(event.id)];
        if (before === undefined && key < last) faults.push(`${key} after ${last}`);
        if (before !== undefined && before !== id) faults.push(`${event.id} in ${before} and in ${id}`);
        if (before === undefined) last = key;
        batchOf.set(event.id, before ?? id);
      }
    }
    return faults;
  }

  private take(request: IncomingMessage, body: Buffer, response: ServerResponse): void {
    try {
      const secret = this.secrets.at(-1)!;
      const events = new Webhook(secret).verify(body.toString(), request.headers as Record<string, string>) as ReceivedEvent[];
      const batch = { id: request.headers['webhook-id'] as string, events, headers: request.headers, text: body.toString() };
      this.batches.push(batch);
      response.once('finish', () => response.statusCode < 300 && this.accepted.push(batch));
      this.respond(response, batch);
    } catch (error) {
      this.unverified.push(error);
      response.writeHead(401).end();
    }
  }
}
