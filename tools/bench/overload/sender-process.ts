import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchRequest, NEW_ID } from '../requests.js';
import { Wire, type WireAnswer } from './wire.js';

/** Clients that send alike. */
export interface Group {
  /** In turns over the connections. */
  tokens: string[];
  connections: number;
  /** Requests per second of all connections together, whatever comes back; as fast as answers come when absent. */
  rate?: number;
  /** After a 503 wait as long as `Retry-After` says. */
  heedsRetryAfter?: boolean;
  requests: BenchRequest[];
}

export interface SendJob {
  url: string;
  seconds: number;
  groups: Group[];
}

/** Connections that ask and never read. */
export interface StallJob {
  url: string;
  seconds: number;
  token: string;
  path: string;
  connections: number;
  /** Sent one behind the other over each connection. */
  requests: number;
}

/** What became of a group's requests. */
export interface GroupResult {
  /** Per second, those answered 2xx, answered 503, and answered otherwise or not at all. */
  good: number;
  refused: number;
  failed: number;
  /** Milliseconds; 0 where there were none. */
  p50: number;
  p99: number;
  refusalP99: number;
  /** 99th percentile of the good ones of each second. */
  p99OfSecond: number[];
}

export interface StallResult {
  /** Connections that the server ended before it had sent everything. */
  cut: number;
}

/** Connections opened per millisecond, so that a flood of connections is not a flood of handshakes. */
const OPENED_PER_MS = 1;
/** Milliseconds after which a connection that broke is used again. */
const AFTER_BREAK_MS = 100;
/** Milliseconds between two looks whether the next request of a rate is due. */
const TICK_MS = 2;

process.on('message', (job: SendJob | StallJob) => {
  void ('groups' in job ? send(job) : stall(job)).then((result) => process.send!(result));
});

async function send({ url, seconds, groups }: SendJob): Promise<GroupResult[]> {
  const { hostname, port } = new URL(url);
  const senders = groups.map((group) => new Sender(group, hostname, Number(port)));
  for (const sender of senders) sender.start();
  await sleep(seconds * 1_000);
  return senders.map((sender) => sender.stop(seconds));
}

class Sender {
  private readonly wires: Wire[];
  private readonly texts: string[];
  private readonly idle: number[] = [];
  private next = 0;
  private running = true;
  private timer: NodeJS.Timeout | undefined;
  private readonly good: number[][] = [];
  private readonly refusals: number[] = [];
  private failed = 0;
  private begin = 0;

  constructor(
    private readonly group: Group,
    host: string,
    port: number,
  ) {
    this.wires = Array.from({ length: group.connections }, () => new Wire(host, port));
    this.texts = group.requests.map((request) => toText(request, host));
  }

  start(): void {
    this.begin = performance.now();
    const { rate, connections } = this.group;
    let [opened, sent] = [0, 0];
    this.timer = setInterval(() => {
      const ms = performance.now() - this.begin;
      for (; opened < Math.min(connections, ms * OPENED_PER_MS); opened++) {
        if (rate === undefined) this.keepSending(opened);
        else this.idle.push(opened);
      }
      for (; rate !== undefined && sent < (ms / 1_000) * rate; sent++) {
        const connection = this.idle.shift();
        if (connection === undefined) this.failed++;
        else this.sendOn(connection, () => this.idle.push(connection));
      }
    }, TICK_MS);
  }

  stop(seconds: number): GroupResult {
    this.running = false;
    clearInterval(this.timer);
    for (const wire of this.wires) wire.close();
    const all = sorted(this.good.flat());
    return {
      good: all.length / seconds,
      refused: this.refusals.length / seconds,
      failed: this.failed / seconds,
      p50: percentile(all, 0.5),
      p99: percentile(all, 0.99),
      refusalP99: percentile(sorted(this.refusals), 0.99),
      p99OfSecond: Array.from({ length: Math.ceil(seconds) }, (_, second) => percentile(sorted(this.good[second] ?? []), 0.99)),
    };
  }

  private keepSending(connection: number): void {
    this.sendOn(connection, (answer) => {
      const pause = !answer ? AFTER_BREAK_MS : this.group.heedsRetryAfter ? answer.retryAfter * 1_000 : 0;
      if (pause === 0) this.keepSending(connection);
      else setTimeout(() => this.running && this.keepSending(connection), pause);
    });
  }

  private sendOn(connection: number, done: (answer: WireAnswer | undefined) => void): void {
    const { tokens } = this.group;
    const text = this.texts[this.next++ % this.texts.length]!.replace('{token}', tokens[connection % tokens.length]!);
    const sent = performance.now();
    this.wires[connection]!.send(text.includes(NEW_ID) ? text.replace(NEW_ID, randomUUID()) : text, (answer) => {
      if (!this.running) return;
      const ms = performance.now() - sent;
      if (answer && answer.status < 300) (this.good[Math.floor((performance.now() - this.begin) / 1_000)] ??= []).push(ms);
      else if (answer?.status === 503) this.refusals.push(ms);
      else this.failed++;
      done(answer);
    });
  }
}

function toText({ method = 'GET', path, body }: BenchRequest, host: string): string {
  const head = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\naccept: application/json\r\nauthorization: Bearer {token}\r\n`;
  if (body === undefined) return `${head}\r\n`;
  // An id is longer than what stands for it.
  const length = Buffer.byteLength(body.replace(NEW_ID, randomUUID()));
  return `${head}content-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body}`;
}

async function stall({ url, seconds, token, path, connections, requests }: StallJob): Promise<StallResult> {
  const { hostname, port } = new URL(url);
  const request = `GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${token}\r\n\r\n`;
  const sockets = Array.from({ length: connections }, () => {
    const socket = connect({ host: hostname, port: Number(port) }).on('error', () => undefined);
    socket.pause();
    socket.write(request.repeat(requests));
    return socket;
  });
  await sleep(seconds * 1_000);
  // What the server has given up ends, once what the system holds of it has been read; the others stay open.
  let cut = 0;
  for (const socket of sockets) socket.once('close', () => cut++).resume();
  await sleep(3_000);
  for (const socket of sockets) socket.removeAllListeners('close').destroy();
  return { cut };
}

const sorted = (values: number[]): number[] => values.sort((a, b) => a - b);
const percentile = (values: readonly number[], part: number): number =>
  values[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0;
