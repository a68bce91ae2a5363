import { type Context, type Flags, parameters } from '../shared/command.js';
import { save } from '../shared/save.js';
import { connect } from '../shared/settings.env.js';

const BOTH = ['relation_id', 'token', 'technology', 'status', 'connected'] as const;
const FILTERS = ['target', ...BOTH, 'customer_reference', 'available_until', 'modified_since', 'created_by', 'modified_by'] as const;
const PUBLISHED_FILTERS = ['tenant', 'offer', ...BOTH] as const;

export async function exportNodes(flags: Flags, context: Context): Promise<void> {
  const { coverage } = connect(context, flags, 'coverageUrl');
  await save(flags, context, (options, format) =>
    flags.published
      ? coverage.export({ format, ...parameters(flags, PUBLISHED_FILTERS) }, options)
      : coverage.nodes.export({ format, ...parameters(flags, FILTERS) }, options),
  );
}
