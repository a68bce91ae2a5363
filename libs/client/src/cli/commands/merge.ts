import { backUp } from '../shared/back-up.js';
import { type Context, type Flags } from '../shared/command.js';
import { print, printJson, table } from '../shared/output.js';
import { connect } from '../shared/settings.env.js';

export async function merge(relationId: string, flags: Flags, context: Context): Promise<void> {
  const client = connect(context, flags, 'coverageUrl');
  if (flags.backup !== undefined) await backUp(flags.backup, client, { relation_id: relationId }, context);
  context.leaves = () => 'the merge may have taken effect; it is safe to run the command again';
  const { signal } = context;
  const result = await client.coverage.nodes.merge(relationId, { signal });
  if (flags.json) await printJson(context, result);
  else await print(context, result.action.length > 0 ? table(result.action, ['merge_action', 'count']) : 'Nothing to merge.');
}
