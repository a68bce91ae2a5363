import { type CommonFlags, type Context } from '../shared/command.js';
import { print, printJson, table } from '../shared/output.js';
import { connect } from '../shared/settings.env.js';

export async function merge(relationId: string, flags: CommonFlags, context: Context): Promise<void> {
  context.leaves = () => 'the merge may have taken effect; it is safe to run the command again';
  const { signal } = context;
  const result = await connect(flags, 'coverageUrl').coverage.nodes.merge(relationId, { signal });
  if (flags.json) await printJson(result);
  else await print(result.action.length > 0 ? table(result.action, ['merge_action', 'count']) : 'Nothing to merge.');
}
