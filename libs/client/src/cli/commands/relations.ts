import { type Context, type Flags, parameters } from '../shared/command.js';
import { printRecords } from '../shared/output.js';
import { connect } from '../shared/settings.env.js';

const COLUMNS = [
  'relation_id',
  'name',
  'tenant',
  'pip',
  'operator',
  'contact_name',
  'contact_email',
  'contact_phone',
  'order_url',
  'nodes',
];

/** Prints the tenant's relations or, if asked for those that are published, what ISPs see of every operator's. */
export async function relations({ published, order, ...flags }: Flags, context: Context): Promise<void> {
  const { signal } = context;
  const { coverage } = connect(context, flags, 'coverageUrl');
  const page = { _page_size: 2_000 };
  const found = published
    ? coverage.publishedRelations.list({ ...parameters(flags, ['tenant']), ...page }, { signal })
    : coverage.relations.list({ ...parameters(flags, ['name', 'pip']), _order: order, ...page }, { signal });
  for await (const { items } of found.pages()) {
    if (!(await printRecords(context, items, flags, COLUMNS))) return;
  }
}
