import { COVERAGE, EVENTS, type Fault } from '../fault.js';

export const PAGES: readonly Fault[] = [
  {
    rule: 'the feed of events has every event of a tie',
    file: `${EVENTS}event-changes/event-changes.sql.ts`,
    edits: [['(e.modified_at, e.event_id) >= (${time}, ${id})', 'e.modified_at > ${time}::timestamptz']],
    caughtBy: ['event-service', 'changes/changes.e2e'],
  },
  {
    rule: 'the feed of nodes goes on after a tie with any id',
    file: `${COVERAGE}node-changes/node-changes.sql.ts`,
    edits: [['sql`(c.${at}, c.node_id) >= (${time}, ${id})`', 'sql`c.${at} >= ${time}`, sql`c.node_id >= ${id}`']],
    caughtBy: ['coverage-service', 'node-changes/changes.e2e'],
  },
  {
    rule: 'a reader that is up to date goes on, although it began before the oldest deletion that is kept',
    file: 'libs/changes/src/listed-feed.ts',
    edits: [['Math.max(time, deletionsFrom) < settled.getTime()', 'deletionsFrom < settled.getTime()']],
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
    file: `${COVERAGE}relations/relations.repository.ts`,
    edits: [['{ target, relation_id }), MAX_COUNTED))', '{ target, relation_id })))']],
    caughtBy: ['coverage-service', 'relations/relations'],
  },
  {
    rule: 'an entity is in one of the windows of 10,000 in which a list is read',
    file: `${EVENTS}entities/entity-list.sql.ts`,
    edits: [['t.entity_id < ${id}::uuid', 't.entity_id <= ${id}::uuid']],
    caughtBy: ['event-service', 'entities/entities'],
  },
  {
    rule: 'a page of the feed that begins within bulk work goes on with later bulk work on older nodes',
    file: `${COVERAGE}node-changes/node-changes.sql.ts`,
    edits: [["case when p.published_at = ${time} then ${id} else '${raw(LEAST_ID)}' end", '${id}']],
    caughtBy: ['coverage-service', 'node-changes/bulk-work'],
  },
];
