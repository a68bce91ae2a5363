/** A mistake that a developer could make, and the check that must notice it. */
export interface Fault {
  /** The rule that the planted code breaks. */
  readonly rule: string;
  /** A source file, and texts to replace in it. Each must occur exactly once. */
  readonly file: string;
  readonly edits: readonly (readonly [from: string, to: string])[];
  /** A project and one of its spec files, or `history` and the faults of `npm run history`. */
  readonly caughtBy: readonly [project: Project | 'history', which: string];
}

/** The folder in which the tests of a project run, and the further arguments of tools/tests/jest. */
export const PROJECTS = {
  'coverage-service': ['apps/coverage-service'],
  'event-service': ['apps/event-service'],
  client: ['libs/client'],
  libs: ['tools', '--config', 'tests/libs.config.mjs'],
} as const;
export type Project = keyof typeof PROJECTS;

const coverage = 'apps/coverage-service/src/';
const events = 'apps/event-service/src/';

const TENANTS_AND_SCOPES: readonly Fault[] = [
  {
    rule: 'a list has only the nodes of its tenant',
    file: `${coverage}access-nodes/access-node.sql.ts`,
    edits: [['join([sql`n.tenant = ${tenant}`, ', 'join([sql`${tenant}::text is not null`, ']],
    caughtBy: ['coverage-service', 'access/access'],
  },
  {
    rule: 'an export has only the nodes of its tenant',
    file: `${coverage}node-export/node-export.sql.ts`,
    edits: [['[sql`n.tenant = ${tenant}`, ...filterConditions(filters)]', 'filterConditions(filters)']],
    caughtBy: ['coverage-service', 'node-import/export-nodes'],
  },
  {
    rule: 'an idempotency key belongs to one tenant',
    file: `${events}closings/closings.repository.ts`,
    edits: [['{ tenant, namespace_id, idempotency_key, created_at }', '{ namespace_id, idempotency_key, created_at }']],
    caughtBy: ['event-service', 'billing/closings'],
  },
  {
    rule: 'a merge needs the scope for writing',
    file: `${coverage}relation-nodes/relation-nodes.controller.ts`,
    edits: [["@Put()\n  @HttpCode(200)\n  @Authorize('coverage:write')", "@Put()\n  @HttpCode(200)\n  @Authorize('coverage:read')"]],
    caughtBy: ['coverage-service', 'access/access'],
  },
  {
    rule: 'an erasure needs a scope of its own',
    file: `${events}entities/entities.controller.ts`,
    edits: [["@Authorize('events:erase')", "@Authorize('events:write')"]],
    caughtBy: ['event-service', 'entities/erase'],
  },
  {
    rule: 'a token that was accepted is not accepted for longer than one that is new',
    file: 'libs/auth/src/authentication.ts',
    edits: [['until: Math.min(Date.now() + MAX_AGE_MS, caller.expiresAt * 1_000)', 'until: Date.now() + MAX_AGE_MS']],
    caughtBy: ['coverage-service', 'access/tokens'],
  },
];

const PAGES: readonly Fault[] = [
  {
    rule: 'the feed of events has every event of a tie',
    file: `${events}event-changes/event-changes.sql.ts`,
    edits: [['(e.modified_at, e.event_id) >= (${time}, ${id})', 'e.modified_at > ${time}::timestamptz']],
    caughtBy: ['event-service', 'changes/changes.e2e'],
  },
  {
    rule: 'the feed of nodes goes on after a tie with any id',
    file: `${coverage}node-changes/node-changes.sql.ts`,
    edits: [['sql`(c.${at}, c.node_id) >= (${time}, ${id})`', 'sql`c.${at} >= ${time}`, sql`c.node_id >= ${id}`']],
    caughtBy: ['coverage-service', 'node-changes/changes.e2e'],
  },
  {
    rule: 'a page in descending order begins with the record that its cursor names',
    file: 'libs/database/src/pages/page.sql.ts',
    edits: [["order === 'asc' ? '>=' : '<='", "order === 'asc' ? '>=' : '<'"]],
    caughtBy: ['coverage-service', 'pages/both-orders'],
  },
  {
    rule: 'the limit of a page is in bytes, not in characters',
    file: 'libs/database/src/pages/read-records.ts',
    edits: [['bytes += Buffer.byteLength(text) + 1', 'bytes += text.length + 1']],
    caughtBy: ['coverage-service', 'relations/relations'],
  },
  {
    rule: 'the nodes of a relation are counted up to 100,000',
    file: `${coverage}relations/relations.repository.ts`,
    edits: [['{ target, relation_id }), MAX_COUNTED))', '{ target, relation_id })))']],
    caughtBy: ['coverage-service', 'relations/relations'],
  },
  {
    rule: 'an entity is in one of the windows of 10,000 in which a list is read',
    file: `${events}entities/entity-list.sql.ts`,
    edits: [['t.entity_id < ${id}::uuid', 't.entity_id <= ${id}::uuid']],
    caughtBy: ['event-service', 'entities/entities'],
  },
];

const TIMES: readonly Fault[] = [
  {
    rule: 'a day on which the clock changes counts as one day',
    file: `${events}timeline/period-window.ts`,
    edits: [
      [
        'const start = microseconds(day.toZonedDateTime(timezone).toInstant());',
        'const start = starts.length > 0 ? starts.at(-1)! + 86_400_000_000n : microseconds(day.toZonedDateTime(timezone).toInstant());',
      ],
    ],
    caughtBy: ['event-service', 'billing/totals'],
  },
  {
    rule: 'a date begins with the offset that its zone has on that day, not today',
    file: `${events}timeline/period-window.ts`,
    edits: [
      [
        'Temporal.PlainDate.from(edge).toZonedDateTime(timezone).toInstant()',
        'Temporal.Instant.from(`${edge}T00:00:00${Temporal.Now.zonedDateTimeISO(timezone).offset}`)',
      ],
    ],
    caughtBy: ['event-service', 'billing/periods.e2e'],
  },
  {
    rule: 'the offset of an event is that of its instant, not of the beginning of its day',
    file: `${events}timeline/event-time.ts`,
    edits: [['instant.toZonedDateTimeISO(timeZone).offset', 'instant.toZonedDateTimeISO(timeZone).startOfDay().offset']],
    caughtBy: ['event-service', 'timeline/event-time'],
  },
  {
    rule: 'a month before the 31st is the month before, not 30 days',
    file: `${events}entities/personal-data-clean-up.ts`,
    edits: [['today.subtract({ months })', 'today.subtract({ days: 30 * months })']],
    caughtBy: ['event-service', 'entities/erase'],
  },
  {
    rule: 'a node that is available from today may be promised now',
    file: `${coverage}access-nodes/access-node.sql.ts`,
    edits: [['n.available_from > (now()', 'n.available_from >= (now()']],
    caughtBy: ['coverage-service', 'coverage-search/offers'],
  },
  {
    rule: 'the time of a write is not that of the beginning of its transaction',
    file: 'libs/settled-time/src/write-time.sql.ts',
    edits: [['clock_timestamp()', 'now()']],
    caughtBy: ['event-service', 'changes/changes-races'],
  },
];

const ORDER_AND_BULK_WORK: readonly Fault[] = [
  {
    rule: 'what an event before the last subscription sets does not apply to it',
    file: `${events}event-functions/append-event.sql.ts`,
    edits: [["if not found then${setWithin('option82')}", "if true then${setWithin('option82')}"]],
    caughtBy: ['event-service', 'entities/entities'],
  },
  {
    rule: 'two closings of a window do not overlap, even if settled time has moved back',
    file: `${events}closings/closings.service.ts`,
    edits: [
      ['const latest = previous && previous.recorded_until > settled ? previous.recorded_until : settled;', 'const latest = settled;'],
    ],
    caughtBy: ['event-service', 'billing/closings'],
  },
  {
    rule: 'an ISP is not deleted while an event that names it is recorded',
    file: `${events}isps/isps.repository.ts`,
    edits: [["[undefined, { mode: 'pessimistic_write' } as const]", '[undefined, undefined]']],
    caughtBy: ['event-service', 'isps/isps-registered'],
  },
  {
    rule: 'a merge takes the lock of its relation',
    file: `${coverage}relation-nodes/relation-nodes.service.ts`,
    edits: [
      [
        'await run(lockRelation(tenant, relationId));\n        await run(lockPrenodes(tenant, relationId));',
        'await run(lockPrenodes(tenant, relationId));',
      ],
    ],
    caughtBy: ['coverage-service', 'requests/lock-waits'],
  },
  {
    rule: 'an idempotency key belongs to one file',
    file: `${coverage}node-import/node-import.service.ts`,
    edits: [['if (earlier?.digest !== digest) throw', 'if (!earlier) throw']],
    caughtBy: ['coverage-service', 'node-import/import-nodes'],
  },
  {
    rule: 'an import may delete a tenth of the nodes, and no more',
    file: `${coverage}node-import/node-import.service.ts`,
    edits: [['Math.floor(nodesBefore(report) / 10)', 'Math.ceil(nodesBefore(report) / 10)']],
    caughtBy: ['coverage-service', 'node-import/import-whole-relation'],
  },
  {
    rule: 'the clean-up of deletions goes on after the first 1,000',
    file: `${coverage}node-changes/changes-clean-up.ts`,
    edits: [['.length >= atOnce', '.length > atOnce']],
    caughtBy: ['coverage-service', 'node-changes/changes.e2e'],
  },
  {
    rule: 'a change of several nodes waits for a lock without its slot and its connection',
    file: `${coverage}access-nodes/access-nodes.repository.ts`,
    edits: [
      [
        'return isDryRun ? this.database.transaction(work, options) : this.database.change(tenant, work, options);',
        'return this.database.transaction(work, options);',
      ],
    ],
    caughtBy: ['coverage-service', 'requests/lock-waits'],
  },
];

const GIVEN_BACK: readonly Fault[] = [
  {
    rule: 'the slot of a request is given back if its client disconnects',
    file: 'libs/server/src/admission/request-slot.ts',
    edits: [['this.slot?.close();', 'if (!this.deadline.hasEnded) this.slot?.close();']],
    caughtBy: ['coverage-service', 'requests/cancelled'],
  },
  {
    rule: 'the bytes of a body are given back',
    file: 'libs/server/src/admission/request-slot.ts',
    edits: [['this.body?.close();', '']],
    caughtBy: ['coverage-service', 'access-nodes/create-access-node'],
  },
  {
    rule: 'a connection is given back after a unique violation',
    file: 'libs/database/src/statements/send.ts',
    edits: [
      ['let isBroken = false;', 'let [isBroken, isKept] = [false, false];'],
      ['isBroken = breaksConnection(error);', "isBroken = breaksConnection(error);\n    isKept = sqlState(error) === '23505';"],
      ['client.release(isBroken);', 'if (!isKept) client.release(isBroken);'],
    ],
    caughtBy: ['coverage-service', 'access-nodes/update-access-node.e2e'],
  },
  {
    rule: 'the temporary file of an import is closed',
    file: `${coverage}files/spool.ts`,
    edits: [
      [
        'await handle.close().finally(() => size.close());',
        '(((globalThis as { handles?: unknown[] }).handles ??= []).push(handle), size.close());',
      ],
    ],
    caughtBy: ['coverage-service', 'node-import/import-nodes'],
  },
  {
    rule: 'a service that closes stops its timers, even those that do not keep it alive',
    file: 'libs/webhooks/src/sending/webhook-delivery.ts',
    edits: [['for (const timer of this.timers) clearInterval(timer);', '']],
    caughtBy: ['coverage-service', 'access-nodes/delete-several-nodes'],
  },
  {
    rule: 'a transaction in which a statement failed does not count as committed',
    file: 'libs/database/src/statements/transact.ts',
    edits: [["if (command !== 'COMMIT') throw", 'if (!command) throw']],
    caughtBy: ['libs', 'database/test/transactions'],
  },
];

const OTHERS: readonly Fault[] = [
  {
    rule: 'the place of a webhook moves after the receiver answers',
    file: 'libs/webhooks/src/sending/webhook-delivery.ts',
    edits: [
      [
        'const { delivered, status, error } = await this.sender.send(webhook, id, events);',
        'await moveAlong(settledUntil);\n    const { delivered, status, error } = await this.sender.send(webhook, id, events);',
      ],
    ],
    caughtBy: ['coverage-service', 'node-changes/webhook-crash'],
  },
  {
    rule: 'nothing is sent to a receiver with an address that is not public',
    file: 'libs/webhooks/src/sending/receiver-addresses.ts',
    edits: [['found.every((one) =>', 'found.some((one) =>']],
    caughtBy: ['coverage-service', 'node-changes/webhook-addresses'],
  },
  {
    rule: 'the nearest node is the one with the shortest way along the ground',
    file: `${coverage}coverage-search/nearest.ts`,
    edits: [['a.distance - b.distance ||', 'a.candidate.straight - b.candidate.straight ||']],
    caughtBy: ['coverage-service', 'coverage-search/nearest'],
  },
  {
    rule: 'the length of a text is counted in characters, not in their halves',
    file: 'libs/dto/src/value-checks.ts',
    edits: [['value.length : [...value].length;', 'value.length : value.length;']],
    caughtBy: ['libs', 'dto/src/value-checks'],
  },
  {
    rule: 'the client does not send a write again whose outcome is unknown',
    file: 'libs/client/src/transport.ts',
    edits: [['wait === undefined || (!repeatable && (await isOutcomeUnknown(answer)))', 'wait === undefined']],
    caughtBy: ['client', 'test/retries'],
  },
  {
    rule: 'the place in a feed moves after its page is handled',
    file: 'libs/client/src/changes.ts',
    edits: [
      [
        'if (items.length > 0) yield { items, place };\n      this.#place = place;',
        'this.#place = place;\n      if (items.length > 0) yield { items, place };',
      ],
    ],
    caughtBy: ['client', 'test/changes'],
  },
  {
    rule: 'events of an entity are sent in order, however its id is written',
    file: 'libs/client/src/events/put-all.ts',
    edits: [['entity_id.toLowerCase()', 'entity_id']],
    caughtBy: ['client', 'test/put-all'],
  },
  {
    rule: 'fibre prints a table of any number of rows',
    file: 'libs/client/src/cli/shared/output.ts',
    edits: [['rows.reduce((most, row) => Math.max(most, row[i]!.length), 0)', 'Math.max(...rows.map((row) => row[i]!.length))']],
    caughtBy: ['client', 'command-line/command-line'],
  },
];

/** What was computed twice and disagreed, or looked whole and was not. */
const WHAT_WAS_SHOWN: readonly Fault[] = [
  {
    rule: 'a closing closes what was reviewed',
    file: `${events}closings/closings.service.ts`,
    edits: [['  return reviewed;\n}', '  return latest;\n}']],
    caughtBy: ['event-service', 'billing/closings'],
  },
  {
    rule: 'a subscription that begins with the window is counted in it',
    file: `${events}periods/period-steps.sql.ts`,
    edits: [['or t.lifecycle_at >= ${from})`', 'or t.lifecycle_at > ${from})`']],
    caughtBy: ['event-service', 'billing/totals'],
  },
  {
    rule: 'a repeated event is recognised before its offset is judged',
    file: `${events}events/events.service.ts`,
    edits: [
      [
        '    const rows = await this.database.run<{ role',
        '    const early = request.faultsForHandler();\n    if (early.length > 0) throw invalidRequest(early.map(({ path, detail }) => ({ pointer: jsonPointer(path), detail })));\n    const rows = await this.database.run<{ role',
      ],
    ],
    caughtBy: ['event-service', 'billing/zone-releases'],
  },
  {
    rule: 'an ISP that no longer sees the lines of an operator hears of none that begins later',
    file: `${events}lines/line-changes.sql.ts`,
    edits: [['where ${isOf} and r.created_at < ${ends} and ', 'where ${isOf} and ']],
    caughtBy: ['event-service', 'lines/line-changes'],
  },
  {
    rule: 'every refused line of a file is named',
    file: `${coverage}node-import/refused-rows.ts`,
    edits: [['of this.places) {', 'of this.places.slice(0, MAX_FAULTS)) {']],
    caughtBy: ['coverage-service', 'node-import/import-refused-lines'],
  },
  {
    rule: 'a file that names none of the nodes is no truth about them',
    file: `${coverage}node-import/node-import.service.ts`,
    edits: [['return named === 0 ? 0 : Math.max(', 'return Math.max(']],
    caughtBy: ['coverage-service', 'node-import/import-whole-relation'],
  },
  {
    rule: 'an update that changes nothing writes nothing',
    file: `${coverage}access-nodes/access-node.sql.ts`,
    edits: [
      [
        'and (${differs}) and ${briefWait}\n    returning ${SHOWN}`;\n}\n\n/** Selects a node that an update',
        'and ${briefWait}\n    returning ${SHOWN}`;\n}\n\n/** Selects a node that an update',
      ],
    ],
    caughtBy: ['coverage-service', 'access-nodes/conditional-requests'],
  },
  {
    rule: 'two keys that look the same are the same key',
    file: 'libs/dto/src/key-text.ts',
    edits: [["  { found: new RegExp(`[${INVISIBLE}]`), what: 'an invisible character' },\n", '']],
    caughtBy: ['coverage-service', 'access-nodes/unseen-characters'],
  },
  {
    rule: 'a file ends when its client leaves at its last byte',
    file: 'libs/server/src/http/streamed-file.ts',
    edits: [['finished(response, { signal })', "once(response, 'finish', { signal })"]],
    caughtBy: ['libs', 'server/src/http/streamed-file'],
  },
  {
    rule: "a tenant's large pages leave places to others",
    file: 'libs/database/src/pages/read-page.ts',
    edits: [["Deadline.current?.client ?? ''", "''"]],
    caughtBy: ['libs', 'database/test/pages'],
  },
  {
    rule: 'a file that broke off does not look whole',
    file: 'libs/client/src/files/download.ts',
    edits: [['mayBeEmpty : new TextDecoder().decode(last).endsWith(end)', 'mayBeEmpty : end.length > 0']],
    caughtBy: ['client', 'test/whole-files'],
  },
  {
    rule: 'a text of a spreadsheet stays a text, even if it looks like a number',
    file: 'libs/client/src/files/spreadsheet.ts',
    edits: [[': escaped(value);', ': Number(value) ? Number(value) : escaped(value);']],
    caughtBy: ['client', 'command-line/spreadsheets'],
  },
];

/** What only `npm run history` is meant to catch, which no part of the tests runs. */
const OF_HISTORY: readonly Fault[] = [
  {
    rule: 'an event is appended only to the version that was read',
    file: `${events}event-functions/append-event.sql.ts`,
    edits: [
      ['if known.version is distinct from append_event.version_read then', 'if false then'],
      ['added.sequence := append_event.version_read + 1;', 'added.sequence := coalesce(known.version, 0) + 1;'],
      ['where t.version = append_event.version_read', 'where true'],
    ],
    caughtBy: ['history', 'none'],
  },
  {
    rule: 'overwritten user attributes that are acknowledged are stored',
    file: `${events}events/events.service.ts`,
    edits: [['overwriteUserAttributes(key, existing.event_id, requested)', 'selectEvent(key, existing.event_id)']],
    caughtBy: ['history', 'none'],
  },
  {
    rule: 'a write whose response is lost may have happened',
    file: 'libs/database/src/connection/bounded-client.ts',
    edits: [['markOutcomeUnknown(error as Error);', '{}']],
    caughtBy: ['history', 'at a commit'],
  },
  {
    rule: 'a transaction is acknowledged after its commit',
    file: 'libs/database/src/statements/transact.ts',
    edits: [
      [
        "const { command } = await client.query('commit');",
        "client.query('commit').catch(() => undefined);\n    const command = 'COMMIT' as string;",
      ],
    ],
    caughtBy: ['history', 'cut at a commit'],
  },
  {
    rule: 'a create that got no response is not sent again',
    file: `${coverage}access-nodes/access-nodes.service.ts`,
    edits: [
      [
        '.write<ShownNode>(tenant, insertNode(node, isRegistered))',
        '.write<ShownNode>(tenant, insertNode(node, isRegistered))\n      .catch(() => this.database.run<ShownNode>(insertNode({ ...node, node_id: uuidv7() }, isRegistered)))',
      ],
    ],
    caughtBy: ['history', 'cut at a commit'],
  },
  {
    rule: 'a node is read from the database, not from a cache of half a second',
    file: `${coverage}access-nodes/access-nodes.service.ts`,
    edits: [
      [
        'const [node] = await this.database.run<ShownNode>(selectNode(tenant, nodeId));',
        `const cache = ((this as { cache?: Map<string, ShownNode | undefined> }).cache ??= new Map<string, ShownNode | undefined>());
    const node = cache.get(nodeId) ?? (await this.database.run<ShownNode>(selectNode(tenant, nodeId)))[0];
    cache.set(nodeId, node);
    setTimeout(() => cache.delete(nodeId), 500).unref();`,
      ],
    ],
    caughtBy: ['history', 'none'],
  },
  {
    rule: 'an update checks the version as it writes, not only before',
    file: `${coverage}access-nodes/access-node.sql.ts`,
    edits: [['or n.version = any(${any}::int[]))', 'or n.version > 0)']],
    caughtBy: ['history', 'none'],
  },
  {
    rule: 'a commit is acknowledged once it is in the log',
    file: 'libs/database/src/connection/data-source.ts',
    edits: [["options: '-c timezone=UTC'", "options: '-c timezone=UTC -c synchronous_commit=off'"]],
    caughtBy: ['history', 'recovers'],
  },
];

export const FAULTS: readonly Fault[] = [
  ...TENANTS_AND_SCOPES,
  ...PAGES,
  ...TIMES,
  ...ORDER_AND_BULK_WORK,
  ...GIVEN_BACK,
  ...OTHERS,
  ...WHAT_WAS_SHOWN,
  ...OF_HISTORY,
];
