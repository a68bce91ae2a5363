import { createHash } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import { useAgent } from 'request-filtering-agent';
import { Webhook as Signer } from 'standardwebhooks';
import type { Change } from '../listed-feed.js';
import type { Webhook } from './webhook.entity.js';

/** Longest time that a receiver may take to respond. */
export const SEND_TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 64 * 1_024;
const DAY_MS = 86_400_000;
/** Azure's metadata service, the only metadata service with an address outside the private ranges. */
const METADATA = ['168.63.129.16'];

/** Outcome of a delivery. */
export interface Outcome {
  readonly delivered: boolean;
  readonly status?: number;
  readonly error?: string;
}

/** A change as a CloudEvent 1.0. The package `cloudevents` would add a JSON schema validator. */
export const cloudEvent = (source: string, feed: string, { id, change, changed_at, json }: Change): string =>
  `${eventHead({ id: `${id}@${changed_at}`, source, type: `open-access-fibre.${feed}.${change}`, subject: id, time: changed_at })},"data":${json}}`;

const eventHead = (attributes: Readonly<Record<string, string>>): string =>
  JSON.stringify({ specversion: '1.0', ...attributes, datacontenttype: 'application/json' }).slice(0, -1);

/** The same parts always result in the same id, so that a receiver recognizes a repeated batch. */
export const messageId = (...parts: readonly string[]): string =>
  `msg_${createHash('sha256').update(parts.join('\n')).digest('base64url')}`;

/** Signs batches and sends them, but only to public or explicitly allowed addresses. */
export class WebhookSender {
  /** @param allowed private addresses and ranges (CIDR) to which batches may also be sent */
  constructor(private readonly allowed: readonly string[]) {}

  /** Never throws. */
  async send({ url, ...webhook }: Webhook, id: string, events: readonly string[]): Promise<Outcome> {
    const body = `[${events.join(',')}]`;
    try {
      const status = await this.post(
        new URL(url),
        { ...sign(webhook, id, body), 'content-type': 'application/cloudevents-batch+json' },
        body,
      );
      if (status >= 200 && status < 300) return { delivered: true, status };
      return {
        delivered: false,
        status,
        error: `responded ${status}${status >= 300 && status < 400 ? '; redirects are not followed' : ''}`,
      };
    } catch (error) {
      return { delivered: false, error: describe(error as NodeJS.ErrnoException) };
    }
  }

  private post(url: URL, headers: Readonly<Record<string, string>>, body: string): Promise<number> {
    // The agent checks the address that it connects to, so a name cannot resolve to a different address after the check.
    const agent = useAgent(url.href, { allowIPAddressList: [...this.allowed], denyIPAddressList: METADATA });
    return new Promise((resolve, reject) => {
      const length = { 'content-length': Buffer.byteLength(body), 'user-agent': 'open-access-fibre' };
      const options = { method: 'POST', agent, headers: { ...headers, ...length }, signal: AbortSignal.timeout(SEND_TIMEOUT_MS) };
      const request = (url.protocol === 'https:' ? https : http).request(url, options, (response) => {
        let bytes = 0;
        response.on('error', reject).on('end', () => resolve(response.statusCode!));
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes <= MAX_RESPONSE_BYTES) return;
          resolve(response.statusCode!);
          request.destroy();
        });
      });
      request.on('error', reject).on('close', () => reject(new Error('closed')));
      request.end(body);
    });
  }
}

type Secrets = Pick<Webhook, 'secret' | 'previous_secret' | 'rotated_at'>;

/** The headers of Standard Webhooks. For a day after a rotation, they contain the signatures of both secrets. */
function sign({ secret, previous_secret, rotated_at }: Secrets, id: string, body: string): Record<string, string> {
  const now = new Date();
  const isRecent = rotated_at !== null && now.getTime() - rotated_at.getTime() < DAY_MS;
  const secrets = previous_secret !== null && isRecent ? [secret, previous_secret] : [secret];
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': secrets.map((one) => new Signer(one).sign(id, now, body)).join(' '),
  };
}

/** The error text that the webhook's owner sees. It does not reveal which address a name resolves to in our network. */
function describe({ name, code, message }: NodeJS.ErrnoException): string {
  if (name === 'AbortError') return `no response within ${SEND_TIMEOUT_MS / 1_000} s`;
  if (message.startsWith('DNS lookup')) return 'the address is not public';
  return `the connection failed: ${code ?? message}`;
}
