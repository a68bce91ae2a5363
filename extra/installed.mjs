// Fails if the packages of this folder are not installed, because `npm ci` in the folder above leaves them out.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

if (!existsSync(join(import.meta.dirname, 'node_modules'))) {
  console.error('This needs packages that `npm ci` has not installed. Run this first: npm ci --prefix extra');
  process.exit(1);
}
