import { defaultClientConditions, defineConfig } from 'vite';
import { compression } from 'vite-plugin-compression2';
import { mapBackground } from './map-background/map-background.js';

/** Where coverage-service serves the build. */
const BASE = '/v2/cov/portal/';
/** coverage-service as started by `npm start`. */
const COVERAGE = `http://127.0.0.1:${process.env.COVERAGE_PORT ?? 3001}`;

export default defineConfig({
  base: BASE,
  clearScreen: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  // Nothing is inlined, because `data:` URLs would need an exception in the Content-Security-Policy.
  build: {
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1_700,
    // What every page needs is one file, and so is what some pages share, with a part of the first page that not everybody sees; otherwise
    // each part that another page needs too would be a file, and thus a request, of its own.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'shell', tags: ['$initial'], priority: 1 },
            { name: 'shared', test: /billing-today/ },
            { name: 'shared', minShareCount: 2 },
          ],
        },
      },
    },
  },
  // Uses the source code of the client library, so that the library does not have to be built first.
  resolve: { conditions: ['source', ...defaultClientConditions] },
  plugins: [
    mapBackground,
    // coverage-service sends the Brotli copies to clients that accept them.
    compression({ algorithms: ['brotliCompress'], include: /\.(?:html|js|css|svg|json|mvt)$/, threshold: 0 }),
  ],
  server: {
    host: '127.0.0.1',
    port: 5173,
    strictPort: true,
    proxy: { '/v2/cov/portal/config.json': COVERAGE, '^/v2/cov/(?!portal/)': COVERAGE },
  },
});
