import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { clientCredentials, FibreClient, type NewEvent } from '@fibre/client';
import { freePort, Program } from '@fibre/testing/processes';
import { Webhook } from 'standardwebhooks';
import { columns } from '../columns.js';
import { demoClient } from '../dev-issuer/demo-accounts.js';
import { COVERAGE_PORT, EVENT_PORT, HOST, ISSUER_PORT, WORKSPACE } from '../workspace.js';

/**
 * `npm run receivers`: starts the receivers in docs/receivers, and checks that each gets every event once, on the services that `npm start`
 * runs. Needs npm, Python 3, Go, Java 17 and Maven. The packages in the first line of a receiver are installed into a temporary folder.
 */
const { values } = parseArgs({ options: { events: { type: 'string', default: '10000' } } });
const EVENTS = Number(values.events);
const folder = mkdtempSync(join(tmpdir(), 'receivers-'));
/** Until every event has arrived. */
const PATIENCE_MS = 900_000;

interface Kind {
  readonly name: string;
  readonly file: string;
  /** Installs the packages that the file's first line names. */
  readonly install: (packages: string) => string;
  readonly command: readonly [string, ...string[]];
  readonly version: string;
  readonly change?: (source: string) => string;
}

const npm = (install: string): string => `${install} --no-audit --no-fund --loglevel error`;
const KINDS: readonly Kind[] = [
  { name: 'Express', file: 'express.mjs', install: npm, command: ['node', 'express.mjs'], version: 'node --version' },
  {
    name: 'Express, default limit',
    file: 'express.mjs',
    install: npm,
    command: ['node', 'express.mjs'],
    version: 'node --version',
    change: (source) => source.replace(`, limit: '1mb'`, ''),
  },
  { name: 'Fastify', file: 'fastify.mjs', install: npm, command: ['node', 'fastify.mjs'], version: 'node --version' },
  {
    name: 'Nest',
    file: 'nest.ts',
    // As a project of Nest would be compiled.
    install: (install) =>
      `${install} @types/node@20.19.43 && ${WORKSPACE}/node_modules/.bin/tsc --strict --target es2023 --module nodenext --types node --skipLibCheck --experimentalDecorators --emitDecoratorMetadata nest.ts`,
    command: ['node', 'nest.js'],
    version: 'node --version',
  },
  {
    name: 'Python',
    file: 'receiver.py',
    install: (install) => `python3 -m venv python && python/bin/${install}`,
    command: ['python/bin/python', 'receiver.py'],
    version: 'python3 --version',
  },
  {
    name: 'Go',
    file: 'receiver.go',
    install: (install) => `go mod init receiver && ${install} && go build -o receiver receiver.go`,
    command: ['./receiver'],
    version: 'go version',
  },
  {
    name: 'Java',
    file: 'Receiver.java',
    install: (artifacts) =>
      `for it in ${artifacts}; do mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy -Dartifact=$it -DoutputDirectory=.; done`,
    command: ['java', '-cp', '*', 'Receiver.java'],
    version: 'java --version',
  },
];

/** Without the settings that npm passes on to its scripts: they are for this workspace. */
const ENV = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));
const shell = (command: string, cwd: string): string => execFileSync('bash', ['-euc', command], { cwd, env: ENV, encoding: 'utf8' }).trim();

/** A receiver, and how often each event arrived. */
class Receiver {
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

/** A notification with 1 to 4 kB of user attributes, not all of them ASCII. */
const event = (_: unknown, n: number): NewEvent => ({
  entity_id: randomUUID(),
  event_type: 'notification',
  event_at: '2026-01-15T12:00:00+01:00',
  usr_attributes: { n, name: 'Straße 光 😀', blob: 'ä"\\'.repeat(200 + (n % 551)) },
});

const { id, secret } = demoClient('ano-other');
const client = new FibreClient({
  coverageUrl: `http://${HOST}:${COVERAGE_PORT}`,
  eventsUrl: `http://${HOST}:${EVENT_PORT}`,
  token: clientCredentials({ issuer: `http://${HOST}:${ISSUER_PORT}`, clientId: id, clientSecret: secret }),
});

// Before any request, because the installations block this process, and its connections would time out.
const receivers = KINDS.map((kind) => new Receiver(kind));
const since = new Date().toISOString();
const ids = new Set<string>();
for await (const put of client.events.putAll(Array.from({ length: EVENTS }, event))) {
  if (put.outcome !== 'recorded') throw put.outcome === 'refused' ? put.error : new Error(put.outcome);
  ids.add(put.event!.event_id);
}
console.log(`${ids.size} events recorded`);

const missing = ({ seen }: Receiver): number => [...ids].filter((one) => !seen.has(one)).length;
try {
  for (const receiver of receivers) await receiver.start(client, since);
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end && receivers.some(missing); await sleep(500))
    for (const { webhookId, answers } of receivers) {
      const { last_status } = await client.events.webhooks.read(webhookId);
      if (last_status) answers.add(String(last_status));
    }
  const rows = [['receiver', 'runs on', 'events', 'missing', 'repeated', 'others', 'statuses', 'repeat, forged, old']];
  for (const receiver of receivers) {
    const { kind, version, seen, answers } = receiver;
    const faults = await receiver.faults();
    const others = [...seen.keys()].filter((one) => !ids.has(one)).length;
    const counts = [missing(receiver), [...seen.values()].filter((times) => times > 1).length, others];
    if (counts.some(Boolean) || faults.length > 0) {
      process.exitCode = 1;
      console.error([`${kind.name} printed last:`, ...receiver.lastLines].join('\n  '));
    }
    rows.push([kind.name, version, String(ids.size), ...counts.map(String), [...answers].join(' '), faults.join('; ') || 'ok']);
  }
  console.log(columns(rows, ''));
} finally {
  await Promise.all(receivers.filter(({ webhookId }) => webhookId).map((receiver) => receiver.stop(client)));
}
