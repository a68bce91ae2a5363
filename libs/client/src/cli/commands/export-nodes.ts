import { fileFormat } from '../../index.js';
import { type Context, type Flags, parameters } from '../shared/command.js';
import { save } from '../shared/save.js';
import { connect } from '../shared/settings.env.js';

const BOTH = ['relation_id', 'token', 'technology', 'status'] as const;
const FILTERS = ['target', ...BOTH, 'customer_reference', 'available_until', 'modified_since'] as const;
const PUBLISHED_FILTERS = ['tenant', ...BOTH] as const;

export async function exportNodes({ output, published, ...flags }: Flags, context: Context): Promise<void> {
  const format = flags.format ?? fileFormat(output ?? '').format;
  const { coverage } = connect(flags, 'coverageUrl');
  await save(output, context, (onProgress) => {
    const options = { signal: context.signal, onProgress };
    return published
      ? coverage.export({ format, ...parameters(flags, PUBLISHED_FILTERS) }, options)
      : coverage.nodes.export({ format, ...parameters(flags, FILTERS) }, options);
  });
}
