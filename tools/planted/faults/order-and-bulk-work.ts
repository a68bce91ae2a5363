import { COVERAGE, EVENTS, type Fault } from '../fault.js';

export const ORDER_AND_BULK_WORK: readonly Fault[] = [
  {
    rule: 'what an event before the last subscription sets does not apply to it',
    file: `${EVENTS}event-functions/append-event.sql.ts`,
    edits: [["if not found then${setWithin('option82')}", "if true then${setWithin('option82')}"]],
    caughtBy: ['event-service', 'entities/entities'],
  },
  {
    rule: 'a value that is recorded late applies, even if a later notification names another',
    file: `${EVENTS}event-functions/append-event.sql.ts`,
    edits: [
      [
        "and e.event_type <> 'notification' and e.event_at > added.event_at and (e.sys_attributes ->> '${member}') is not null",
        "and e.event_at > added.event_at and (e.sys_attributes ->> '${member}') is not null",
      ],
    ],
    caughtBy: ['event-service', 'entities/entities'],
  },
  {
    rule: 'an update that is recorded late concerns the end of its own subscription, not of the last one',
    file: `${EVENTS}event-functions/note-line-change.sql.ts`,
    edits: [
      [
        "and e.event_type = 'deactivation' and e.event_at > added.event_at order by e.event_at limit 1;",
        "and e.event_type = 'deactivation' and e.event_at > added.event_at order by e.event_at desc limit 1;",
      ],
    ],
    caughtBy: ['event-service', 'lines/line-changes'],
  },
  {
    rule: 'an event is appended only to the version that was read',
    file: `${EVENTS}event-functions/append-event.sql.ts`,
    edits: [
      ['if known.version is distinct from append_event.version_read then', 'if false then'],
      ['added.sequence := append_event.version_read + 1;', 'added.sequence := coalesce(known.version, 0) + 1;'],
      ['where t.version = append_event.version_read', 'where true'],
    ],
    caughtBy: ['event-service', 'order/races'],
  },
  {
    rule: 'two closings of a window do not overlap, even if settled time has moved back',
    file: `${EVENTS}closings/closings.service.ts`,
    edits: [
      ['const latest = previous && previous.recorded_until > settled ? previous.recorded_until : settled;', 'const latest = settled;'],
    ],
    caughtBy: ['event-service', 'billing/closings'],
  },
  {
    rule: 'a closing of all ISPs does not follow one of a single ISP',
    file: `${EVENTS}closings/closings.repository.ts`,
    edits: [['partner_id: partner_id ?? IsNull() })', '...(partner_id && { partner_id }) })']],
    caughtBy: ['event-service', 'billing/closings'],
  },
  {
    rule: 'an ISP is not deleted while an event that names it is recorded',
    file: `${EVENTS}isps/isps.repository.ts`,
    edits: [["[undefined, { mode: 'pessimistic_write' } as const]", '[undefined, undefined]']],
    caughtBy: ['event-service', 'isps/isps-registered'],
  },
  {
    rule: 'a merge takes the lock of its relation',
    file: `${COVERAGE}relation-nodes/relation-nodes.service.ts`,
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
    file: `${COVERAGE}node-import/node-import.service.ts`,
    edits: [['if (earlier?.digest !== digest) throw', 'if (!earlier) throw']],
    caughtBy: ['coverage-service', 'node-import/import-nodes'],
  },
  {
    rule: 'an import may delete a tenth of the nodes, and no more',
    file: `${COVERAGE}node-import/node-import.problems.ts`,
    edits: [['Math.floor(nodesBefore(report) / 10)', 'Math.ceil(nodesBefore(report) / 10)']],
    caughtBy: ['coverage-service', 'node-import/import-whole-relation'],
  },
  {
    rule: 'the clean-up of deletions goes on after the first 1,000',
    file: `${COVERAGE}node-changes/changes-clean-up.ts`,
    edits: [['.length >= atOnce', '.length > atOnce']],
    caughtBy: ['coverage-service', 'node-changes/changes.e2e'],
  },
  {
    rule: 'a change of several nodes waits for a lock without its slot and its connection',
    file: `${COVERAGE}access-nodes/access-nodes.repository.ts`,
    edits: [
      [
        'return isDryRun ? this.database.transaction(work, options) : this.database.change(tenant, work, options);',
        'return this.database.transaction(work, options);',
      ],
    ],
    caughtBy: ['coverage-service', 'requests/lock-waits'],
  },
];
