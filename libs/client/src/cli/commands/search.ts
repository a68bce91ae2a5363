import { type CommonFlags, type Context, parameters } from '../shared/command.js';
import { print, printJson, table } from '../shared/output.js';
import { connect } from '../shared/settings.env.js';

const COLUMNS = ['distance', 'quality', 'token', 'technology', 'status', 'center', 'tenant', 'node_id'];

export async function search(center: string, flags: CommonFlags, { signal }: Context): Promise<void> {
  const query = { center, ...parameters(flags, ['search_radius', 'limit', 'token', 'technology', 'status']) };
  const results = await connect(flags, 'coverageUrl').coverage.search(query, { signal });
  if (flags.json) for (const result of results) await printJson(result);
  else await print(results.length > 0 ? table(results, COLUMNS) : 'No production node within the radius.');
}
