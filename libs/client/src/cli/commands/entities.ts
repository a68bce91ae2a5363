import { type Entity } from '../../index.js';
import { type Context, type Flags, parameters } from '../shared/command.js';
import { print, printJson, printRecords, table } from '../shared/output.js';
import { connect } from '../shared/settings.env.js';

const COLUMNS = ['entity_id', 'state', 'since', 'partner_id', 'article_codes', 'option82', 'partner_reference'];

/** A row of a table, which shows whose line it was after it has ended. */
const withLastSubscription = ({ last_subscription, ...entity }: Entity) => ({ ...entity, ...last_subscription });

/** Prints one entity with its periods, or all entities that match the filters. */
export async function entities(entityId: string | undefined, flags: Flags, context: Context): Promise<void> {
  const { signal } = context;
  const { entities } = connect(context, flags, 'eventsUrl');
  if (entityId !== undefined) {
    const { periods, ...entity } = await entities.read(entityId, { signal });
    if (flags.json) return void (await printJson(context, { ...entity, periods }));
    await print(context, table([withLastSubscription(entity)], COLUMNS));
    const steps = periods.flatMap(({ from, to, partner_id, steps }) => steps.map((step) => ({ period: from, to, partner_id, ...step })));
    if (steps.length > 0) await print(context, `\n${table(steps, ['period', 'to', 'from', 'partner_id', 'article_codes', 'event_id'])}`);
    return;
  }
  const filters = parameters(flags, ['state', 'partner_id', 'article_code', 'at']);
  for await (const { items } of entities.list({ ...filters, _page_size: 2_000 }, { signal }).pages()) {
    // Prints each page as it arrives, so that a long list starts to appear immediately.
    if (!(await printRecords(context, items, flags, COLUMNS, items.map(withLastSubscription)))) return;
  }
}

/** Erases the personal data of an entity. */
export async function eraseEntity(entityId: string, { line, ...flags }: Flags, context: Context): Promise<void> {
  context.leaves = () => 'the data may have been erased; it is safe to run the command again';
  await connect(context, flags, 'eventsUrl').entities.erase(entityId, { line, signal: context.signal });
}
