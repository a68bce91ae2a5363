import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FibreClient } from '@fibre/client';
import { freePort, Program } from '@fibre/testing/processes';
import { Webhook } from 'standardwebhooks';
import { HOST, WORKSPACE } from '../workspace.js';
import type { Kind } from './kinds.js';

const folder = mkdtempSync(join(tmpdir(), 'receivers-'));

/** Without the settings that npm passes on to its scripts: they are for this workspace. */
const ENV = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));
const shell = (command: string, cwd: string): string => execFileSync('bash', ['-euc', command], { cwd, env: ENV, encoding: 'utf8' }).trim();

/** A receiver, and how often each event arrived. */
export class Receiver {
  readonly seen = new Map<string, number>();
  readonly answers = new Set<string>();
  webhookId = '';
  readonly version: string;
  private readonly folder: string;
  private secret = '';
  private url = '';
  private program!: Program;

  constructor(readonly kind: Kind) {
    const { name, file, install, change = (source: string) => source } = kind;
    const cwd = join(folder, name.replaceAll(/\W+/g, '-'));
    mkdirSync(cwd);
    const source = readFileSync(join(WORKSPACE, 'docs/receivers', file), 'utf8');
    const changed = change(source);
    if (kind.change) assert.notEqual(changed, source);
    writeFileSync(join(cwd, file), changed);
    writeFileSync(join(cwd, 'package.json'), '{"type":"module"}');
    shell(`${install(/^\W+(.*)/.exec(source)![1]!)} >&2`, cwd);
    this.version = shell(kind.version, cwd).split('\n')[0]!;
    this.folder = cwd;
  }

  get lastLines(): readonly string[] {
    return this.program.lines.slice(-10);
  }

  /** Creates the webhook first, because a receiver needs its secret. */
  async start(client: FibreClient, since: string): Promise<void> {
    const port = await freePort();
    this.url = `http://${HOST}:${port}/`;
    const created = await client.events.webhooks.create({ url: this.url, feed: 'events', since, description: this.kind.name });
    [this.webhookId, this.secret] = [created.webhook_id, created.secret];
    const [command, ...args] = this.kind.command;
    const env = { ...ENV, PORT: String(port), WEBHOOK_SECRET: this.secret };
    const onLine = (line: string): void => {
      const [, subject] = /^open-access-fibre\.events\.\w+ (\S+)$/.exec(line) ?? [];
      if (subject) this.seen.set(subject, (this.seen.get(subject) ?? 0) + 1);
    };
    this.program = new Program({ name: this.kind.name, command, args, cwd: this.folder, env, readyUrl: this.url, onLine });
  }

  /** What is wrong with its answers to a batch that is sent twice, one that is changed on the way, and one that is too old. */
  async faults(): Promise<string[]> {
    const subject = randomUUID();
    const [first, repeat] = [await this.send(subject), await this.send(subject)];
    const [forged, old] = [await this.send('forged', { body: '[]' }), await this.send('old', { at: new Date(Date.now() - 600_000) })];
    await sleep(200);
    const times = this.seen.get(subject) ?? 0;
    this.seen.delete(subject);
    return [
      ...(first === 204 && repeat === 204 ? [] : [`a valid batch: ${first}, its repeat: ${repeat}`]),
      ...(times === 1 ? [] : [`a repeated batch was processed ${times} times`]),
      ...(forged === 400 && old === 400 ? [] : [`a forged batch: ${forged}, an old one: ${old}`]),
    ];
  }

  async stop(client: FibreClient): Promise<void> {
    await client.events.webhooks.delete(this.webhookId);
    await this.program.stop();
  }

  private async send(subject: string, { at = new Date(), body }: { at?: Date; body?: string } = {}): Promise<number> {
    const text = JSON.stringify([{ type: 'open-access-fibre.events.upserted', subject }]);
    const headers = {
      'content-type': 'application/cloudevents-batch+json',
      'webhook-id': `msg_${subject}`,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(this.secret).sign(`msg_${subject}`, at, text),
    };
    return (await fetch(this.url, { method: 'POST', headers, body: body ?? text })).status;
  }
}
