import { COVERAGE, EVENTS, type Fault } from '../fault.js';

/** What only `npm run history` is meant to catch, which no part of the tests runs. */
export const OF_HISTORY: readonly Fault[] = [
  {
    rule: 'overwritten user attributes that are acknowledged are stored',
    file: `${EVENTS}events/events.service.ts`,
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
    file: `${COVERAGE}access-nodes/access-nodes.service.ts`,
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
    file: `${COVERAGE}access-nodes/access-nodes.service.ts`,
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
    file: `${COVERAGE}access-nodes/access-node.sql.ts`,
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
