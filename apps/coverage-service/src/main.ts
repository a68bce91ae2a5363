import module from 'node:module';
import { join } from 'node:path';

// What a former start has compiled need not be compiled again (docs/adr/0018-start.md): so nothing else is imported before this.
// Node.js 20 has no such cache. One that cannot be written to, as in an image, is read.
const { enableCompileCache } = module as { enableCompileCache?: (directory: string) => unknown };
enableCompileCache?.(join(import.meta.dirname, '../../../node_modules/.cache/fibre'));

const [{ bootstrap }, { coverageService }] = await Promise.all([import('@fibre/server'), import('./coverage-service.js')]);
await bootstrap(coverageService);
