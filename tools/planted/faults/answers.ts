import { COVERAGE, EVENTS, type Fault } from '../fault.js';

/** What was computed twice and disagreed, or looked whole and was not. */
export const ANSWERS: readonly Fault[] = [
  {
    rule: 'the nearest node is the one with the shortest way along the ground',
    file: `${COVERAGE}coverage-search/nearest.ts`,
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
    rule: 'a closing closes what was reviewed',
    file: `${EVENTS}closings/closings.service.ts`,
    edits: [['  return reviewed;\n}', '  return latest;\n}']],
    caughtBy: ['event-service', 'billing/closings'],
  },
  {
    rule: 'a subscription that begins with the window is counted in it',
    file: `${EVENTS}periods/period-steps.sql.ts`,
    edits: [['or t.lifecycle_at >= ${from})`', 'or t.lifecycle_at > ${from})`']],
    caughtBy: ['event-service', 'billing/totals'],
  },
  {
    rule: 'a repeated event is recognised before its offset is judged',
    file: `${EVENTS}events/events.service.ts`,
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
    file: `${EVENTS}lines/line-changes.sql.ts`,
    edits: [['where ${isOf} and r.created_at < ${ends} and ', 'where ${isOf} and ']],
    caughtBy: ['event-service', 'lines/line-changes'],
  },
  {
    rule: 'every refused line of a file is named',
    file: `${COVERAGE}node-import/refused-rows.ts`,
    edits: [['of this.places) {', 'of this.places.slice(0, MAX_FAULTS)) {']],
    caughtBy: ['coverage-service', 'node-import/import-refused-lines'],
  },
  {
    rule: 'a file that names none of the nodes is no truth about them',
    file: `${COVERAGE}node-import/node-import.problems.ts`,
    edits: [['return named === 0 ? 0 : Math.max(', 'return Math.max(']],
    caughtBy: ['coverage-service', 'node-import/import-whole-relation'],
  },
  {
    rule: 'an update that changes nothing writes nothing',
    file: `${COVERAGE}access-nodes/access-node.sql.ts`,
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
    rule: 'a map that finds nodes by one filter applies the others too',
    file: `${COVERAGE}map-tiles/map-tile.sql.ts`,
    edits: [['conditions: [...inSquare, ...conditions]', 'conditions: inSquare']],
    caughtBy: ['coverage-service', 'map-tiles/map-tiles.e2e'],
  },
  {
    rule: 'a count that ends after 10,000 relations says so',
    file: `${COVERAGE}overview/overview.repository.ts`,
    edits: [['walked < MAX_WALKED', 'walked <= MAX_WALKED']],
    caughtBy: ['coverage-service', 'map-tiles/overview'],
  },
  {
    rule: 'a table of tabs that becomes CSV has commas',
    file: `${COVERAGE}place-search/place-search.response.ts`,
    edits: [["header.separator === '\\t' ? ',' : header.separator, '\\r\\n'", "header.separator, '\\r\\n'"]],
    caughtBy: ['coverage-service', 'coverage-search/search-places'],
  },
];
