import { type ChangesPage } from '../../index.js';
import { type Context, type Flags, parameters } from '../shared/command.js';
import { complain, printRecords } from '../shared/output.js';
import { connect } from '../shared/settings.env.js';

export const FEEDS = ['nodes', 'search', 'events', 'lines'] as const;
const COLUMNS = [
  'change',
  'changed_at',
  'node_id',
  'center',
  'token',
  'event_id',
  'entity_id',
  'event_type',
  'event_at',
  'since',
  'ended_at',
  'option82',
  'partner_reference',
  'tenant',
];

/** Prints what has changed and, with `--follow`, keeps printing further changes. */
export async function changes(feed: (typeof FEEDS)[number], flags: Flags, context: Context): Promise<void> {
  const options = { from: flags.from, follow: flags.follow ?? false, signal: context.signal };
  const query = parameters(flags, ['since', 'relation_id', 'entity_id', 'event_type']);
  const client = connect(context, flags, ['events', 'lines'].includes(feed) ? 'eventsUrl' : 'coverageUrl');
  const found = {
    nodes: () => client.coverage.nodes.changes(query, options),
    search: () => client.coverage.searchChanges(query, options),
    events: () => client.events.changes(query, options),
    lines: () => client.charges.lineChanges(query, options),
  }[feed]();
  context.leaves = () => (found.place === undefined ? 'nothing was read' : `continue with --from ${found.place}`);
  for await (const { items } of found.pages() as AsyncGenerator<ChangesPage<{ node?: object; event?: object; line?: object }>>) {
    const rows = items.map(({ node, event, line, ...change }) => ({ ...change, ...node, ...event, ...line }));
    if (!(await printRecords(context, items, flags, COLUMNS, rows))) return;
  }
  complain(context, `continue with --from ${found.place}`);
}
