import { constants, createHash } from 'node:crypto';
import type { LookupAddress } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import { Webhook as Signer } from 'standardwebhooks';
import type { Change } from '@fibre/changes';
import type { ReceiverAddresses } from './receiver-addresses.js';
import type { Webhook } from '../webhook.entity.js';

/** Longest time that a receiver may take to respond. */
export const SEND_TIMEOUT_MS = 10_000;
/** Maximum number of bytes that are read from a connection: heads, interim responses and body together. */
const MAX_RESPONSE_BYTES = 64 * 1_024;
const MAX_INTERIM_RESPONSES = 5;
const DAY_MS = 86_400_000;
const MEDIA_TYPE = 'application/cloudevents-batch+json';

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

/** Why no response arrived; its message is for the webhook's owner. */
class SendFault extends Error {}

/** Signs batches and sends them, but only to public or explicitly allowed addresses. */
export class WebhookSender {
  constructor(private readonly addresses: ReceiverAddresses) {}

  /** Never throws. When it returns, the connection is closed. */
  async send({ url, ...webhook }: Webhook, id: string, events: readonly string[]): Promise<Outcome> {
    const body = `[${events.join(',')}]`;
    const headers = { ...sign(webhook, id, body), 'content-type': MEDIA_TYPE };
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), SEND_TIMEOUT_MS);
    try {
      const status = await this.post(new URL(url), headers, body, deadline.signal);
      if (status >= 200 && status < 300) return { delivered: true, status };
      return { delivered: false, status, error: `responded ${status}${explanation(status)}` };
    } catch (error) {
      return { delivered: false, error: describe(error as NodeJS.ErrnoException) };
    } finally {
      clearTimeout(timer);
    }
  }

  private async post(url: URL, headers: Readonly<Record<string, string>>, body: string, signal: AbortSignal): Promise<number> {
    const addresses = await this.addresses.of(url.hostname, signal);
    if (addresses.length === 0) throw new SendFault('the host was not found, or its address is not public');
    return exchange(url, addresses, headers, body, signal);
  }
}

/**
 * Sends a request to one of the addresses. Once the connection is closed, it returns the status of the final response if its head arrived,
 * whatever became of the body.
 */
function exchange(
  url: URL,
  addresses: readonly LookupAddress[],
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
): Promise<number> {
  return new Promise((resolve, reject) => {
    let [status, fault]: [number?, Error?] = [];
    let [interim, bytes] = [0, 0];
    const options: https.RequestOptions = {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body), 'user-agent': 'open-access-fibre' },
      agent: false,
      signal,
      // The addresses that were checked; the name is not resolved again.
      lookup: (_name, { all }, found) => (all ? found(null, [...addresses]) : found(null, addresses[0]!.address, addresses[0]!.family)),
      secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
    };
    const request = (url.protocol === 'https:' ? https : http).request(url, options, (response) => {
      if (!fault) status = response.statusCode;
      // A body that is cut short is an error of the response only.
      response.on('error', () => undefined).resume();
    });
    const stopIf = (isTooMuch: boolean, what: string): void => {
      if (!isTooMuch) return;
      fault ??= new SendFault(`the response has ${what}`);
      request.destroy();
    };
    request
      .on('information', () => stopIf(++interim > MAX_INTERIM_RESPONSES, `more than ${MAX_INTERIM_RESPONSES} interim responses`))
      .on('socket', (socket) =>
        // Counts before the parser reads, and what TLS has decrypted.
        socket.prependListener('data', ({ length }: Buffer) =>
          stopIf((bytes += length) > MAX_RESPONSE_BYTES, `more than ${MAX_RESPONSE_BYTES} bytes`),
        ),
      )
      .on('error', (error) => (fault ??= error))
      .on('close', () => (status === undefined ? reject(fault ?? new Error('closed')) : resolve(status)));
    request.end(body);
  });
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

/** What a status means that says little to the webhook's owner. */
function explanation(status: number): string {
  if (status === 415) return `; the receiver does not accept ${MEDIA_TYPE}`;
  return status >= 300 && status < 400 ? '; redirects are not followed' : '';
}

/** The error text that the webhook's owner sees. */
function describe(error: NodeJS.ErrnoException): string {
  if (error.name === 'AbortError') return `no response within ${SEND_TIMEOUT_MS / 1_000} s`;
  return error instanceof SendFault ? error.message : `the connection failed: ${error.code ?? error.message}`;
}
