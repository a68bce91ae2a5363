import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { say, table } from '../bench/setup/report.js';
import { WORKSPACE } from '../workspace.js';

/**
 * `npm run history:planted`: plants bugs in the build, one at a time, and runs the check that must find it, and prints its first failure.
 * Exits with 1 if one is not found, or if the planted code itself fails. `--only <text>` plants the bugs whose names contain the text.
 */

interface Bug {
  /** Compiled file, and texts to replace in it. Each must occur exactly once. */
  readonly file: string;
  readonly edits: readonly (readonly [from: string, to: string])[];
  /** Arguments of `npm run history`, or a service and its test. */
  readonly check: readonly ['history', only: string] | readonly [service: string, test: string];
}

const events = 'apps/event-service/dist/events/';
const nodes = 'apps/coverage-service/dist/access-nodes/';

const BUGS: Readonly<Record<string, Bug>> = {
  'an event is appended without a check of the version': {
    file: `${events}event-functions.sql.js`,
    edits: [
      ['if coalesce(line.version, 0) <> append_event.version_read then', 'if false then'],
      ['added.sequence := append_event.version_read + 1;', 'added.sequence := coalesce(line.version, 0) + 1;'],
      ['where t.version = append_event.version_read', 'where true'],
    ],
    check: ['history', 'none'],
  },
  'overwritten user attributes are acknowledged but not stored': {
    file: `${events}events.service.js`,
    edits: [['overwriteUserAttributes(key, existing.event_id, requested.user)', 'selectEvent(key, existing.event_id)']],
    check: ['history', 'none'],
  },
  'a lost response is reported as a write that did not happen': {
    file: 'libs/database/dist/connection/bounded-client.js',
    edits: [['markOutcomeUnknown(error);', '']],
    check: ['history', 'at a commit'],
  },
  'a transaction is acknowledged before its commit': {
    file: 'libs/database/dist/statements/transact.js',
    edits: [
      [`const { command } = await client.query('commit');`, `client.query('commit').catch(() => undefined); const command = 'COMMIT';`],
    ],
    check: ['history', 'cut at a commit'],
  },
  'a create that got no response is sent again': {
    file: `${nodes}access-nodes.service.js`,
    edits: [
      [
        '.run(insertNode(node, isRegistered))',
        '.run(insertNode(node, isRegistered)).catch(() => this.database.run(insertNode({ ...node, node_id: crypto.randomUUID() }, isRegistered)))',
      ],
    ],
    check: ['history', 'cut at a commit'],
  },
  'a node is read from a cache of half a second': {
    file: `${nodes}access-nodes.service.js`,
    edits: [
      [
        'const [node] = await this.database.run(selectNode(tenant, nodeId));',
        `const cache = (this.cache ??= new Map());
        const [node] = cache.get(nodeId) ?? await this.database.run(selectNode(tenant, nodeId));
        cache.set(nodeId, [node]); setTimeout(() => cache.delete(nodeId), 500).unref();`,
      ],
    ],
    check: ['history', 'none'],
  },
  'an update checks the version only before it writes': {
    file: `${nodes}access-node.sql.js`,
    edits: [['or n.version = any(${any}::int[]))', 'or n.version > 0)']],
    check: ['history', 'none'],
  },
  'a commit is acknowledged before it is in the log': {
    file: 'libs/database/dist/connection/data-source.js',
    edits: [[`options: '-c timezone=UTC'`, `options: '-c timezone=UTC -c synchronous_commit=off'`]],
    check: ['history', 'recovers'],
  },
  'the feed of events skips the rest of a tie': {
    file: 'apps/event-service/dist/event-changes/event-changes.sql.js',
    edits: [['(e.modified_at, e.event_id) >= (${time}, ${id})', 'e.modified_at > ${time}::timestamptz']],
    check: ['event-service', 'changes/changes.e2e'],
  },
  'the list of nodes ignores the tenant': {
    file: `${nodes}access-node.sql.js`,
    edits: [['const where = join([sql `n.tenant = ${tenant}`,', 'const where = join([sql `${tenant}::text is not null`,']],
    check: ['coverage-service', 'access/access'],
  },
  'a merge does not take the lock of its relation': {
    file: 'apps/coverage-service/dist/relation-nodes/relation-nodes.service.js',
    edits: [
      [
        `await run(lockRelation(tenant, relationId));
            await run(lockPrenodes(tenant, relationId));`,
        'await run(lockPrenodes(tenant, relationId));',
      ],
    ],
    check: ['coverage-service', 'access-nodes/races'],
  },
  'the slot of a request is not given back if its client disconnects': {
    file: 'libs/server/dist/admission/request-slot.js',
    edits: [['this.slot?.close();', 'if (!this.deadline.isCancelled) this.slot?.close();']],
    check: ['coverage-service', 'requests/cancelled'],
  },
  'the bytes of a body are not given back': {
    file: 'libs/server/dist/admission/request-slot.js',
    edits: [['this.body?.close();', '']],
    check: ['coverage-service', 'create-access-node'],
  },
  'a connection is not given back after a unique violation': {
    file: 'libs/database/dist/statements/pooled-connection.js',
    edits: [
      ['isBroken = breaksConnection(error);', `isBroken = error.code === '23505' ? 'kept' : breaksConnection(error);`],
      ['client.release(isBroken);', `if (isBroken !== 'kept') client.release(isBroken);`],
    ],
    check: ['coverage-service', 'update-access-node.e2e'],
  },
  'the temporary file of an import is not closed': {
    file: 'apps/coverage-service/dist/files/spool.js',
    edits: [['await handle.close().finally(() => size.close());', '(globalThis.handles ??= []).push(handle), size.close();']],
    check: ['coverage-service', 'import-nodes'],
  },
  "a service that closes goes on to poll for webhooks with timers that don't keep it alive": {
    file: 'libs/changes/dist/webhooks/webhook-delivery.js',
    edits: [['clearInterval(timer);', '']],
    check: ['coverage-service', 'webhook-delivery'],
  },
  'the time of a write is that of the beginning of its transaction': {
    file: 'libs/changes/dist/write-time.sql.js',
    edits: [['clock_timestamp()', 'now()']],
    check: ['event-service', 'changes/changes-races'],
  },
  'the place of a webhook moves before the receiver answers': {
    file: 'libs/changes/dist/webhooks/webhook-delivery.js',
    edits: [
      [
        'const { delivered, status, error } = await this.sender.send(webhook, id, events);',
        'await this.database.run(moveOn(webhook, { place: next, deliveredUntil: settledUntil, nextLookSeconds })); const { delivered, status, error } = await this.sender.send(webhook, id, events);',
      ],
    ],
    check: ['coverage-service', 'webhook-crash'],
  },
};

/** Lines that name a failure, the most telling ones first: what went wrong, or the test or check that failed. */
const FAILURES = [/(^|\s)\w*Error: /, /(^|\s)(✕|FAILED)/];
/** An error that says that the planted code itself is wrong: it proves nothing. */
const MISTAKE = /\b(TypeError|ReferenceError|SyntaxError)\b/;
/** What `fetch` throws if a service that a check has killed does not answer. */
const NO_ANSWER = /fetch failed|terminated/;

/** What a check has found. */
interface Found {
  /** Undefined if it passed. */
  readonly failure?: string;
  readonly mistake?: string;
}

async function run([what, which]: Bug['check']): Promise<Found> {
  const [command, args, folder] =
    what === 'history' ? ['npm', ['run', 'history', '--', '--only', which], ''] : ['../../tools/tests/jest', [which], `apps/${what}`];
  const log = join(mkdtempSync(join(tmpdir(), 'fibre-planted-')), 'services.log');
  const env = { ...process.env, TEST_BUILT: '1', TEST_VOLUME: 'all', TEST_LOG_LEVEL: 'warn', TEST_PROGRAM_LOG: log };
  const check = spawn(command, args, { cwd: join(WORKSPACE, folder), env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [[code], ...output] = (await Promise.all([once(check, 'exit'), text(check.stdout), text(check.stderr)])) as [
    [number],
    string,
    string,
  ];
  const services = existsSync(log) ? readFileSync(log, 'utf8') : '';
  rmSync(join(log, '..'), { recursive: true });
  if (code === 0) return {};
  const lines = [...output, services].join('\n').split('\n');
  return {
    failure: FAILURES.flatMap((one) => lines.filter((line) => one.test(line)))[0]?.trim() ?? `exit code ${code}`,
    mistake: lines.find((line) => MISTAKE.test(line) && !NO_ANSWER.test(line))?.trim(),
  };
}

/** The compiled file with the bug. */
function edited({ file, edits }: Bug): string {
  let code = readFileSync(join(WORKSPACE, file), 'utf8');
  for (const [from, to] of edits) {
    if (code.split(from).length !== 2) throw new Error(`${file} does not contain this once: ${from}`);
    code = code.replace(from, () => to);
  }
  return code;
}

async function plant(name: string, bug: Bug): Promise<string[]> {
  const path = join(WORKSPACE, bug.file);
  const original = readFileSync(path, 'utf8');
  const restore = (): void => writeFileSync(path, original);
  process.once('exit', restore);
  const begin = performance.now();
  try {
    writeFileSync(path, edited(bug));
    const { failure, mistake } = await run(bug.check);
    say(`${name}: ${mistake ?? failure ?? 'the check passed'}`);
    const result = mistake ? '**wrongly planted**' : failure ? `${((performance.now() - begin) / 1_000).toFixed(0)} s` : '**not found**';
    return [name, bug.check.join(': '), result];
  } finally {
    restore();
    process.removeListener('exit', restore);
  }
}

// So that the build is restored.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
// A bug whose code has changed is named before the others run for minutes.
for (const bug of Object.values(BUGS)) edited(bug);
const rows: string[][] = [];
for (const [name, bug] of Object.entries(BUGS).filter(([name]) => name.includes(values.only))) rows.push(await plant(name, bug));
say(`\n${table(['Bug', 'Check', 'Found after'], rows)}`);
if (rows.some(([, , result]) => result?.startsWith('**'))) process.exitCode = 1;
