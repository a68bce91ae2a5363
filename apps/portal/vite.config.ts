import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { defaultClientConditions, defineConfig, type Plugin } from 'vite';
import { mapBackground } from './map-background/map-background.js';

/** Where coverage-service serves the build. */
const BASE = '/v2/cov/portal/';
/** coverage-service as started by `npm start`. */
const COVERAGE = `http://127.0.0.1:${process.env.COVERAGE_PORT ?? 3001}`;
const COMPRESSIBLE = /\.(?:html|js|css|svg|json|mvt)$/;

/** Adds a Brotli copy of each compressible file, which coverage-service sends to clients that accept it. */
const brotli: Plugin = {
  name: 'brotli',
  apply: 'build',
  generateBundle: {
    order: 'post',
    async handler(_options, bundle) {
      for (const [fileName, file] of Object.entries(bundle)) {
        if (!COMPRESSIBLE.test(fileName)) continue;
        const text = file.type === 'chunk' ? file.code : file.source;
        this.emitFile({ type: 'asset', fileName: `${fileName}.br`, source: await promisify(brotliCompress)(text) });
      }
    },
  },
};

export default defineConfig({
  base: BASE,
  clearScreen: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  // Nothing is inlined, because `data:` URLs would need an exception in the Content-Security-Policy.
  build: { assetsInlineLimit: 0, modulePreload: { polyfill: false }, chunkSizeWarningLimit: 1_700 },
  // Uses the source code of the client library, so that the library does not have to be built first.
  resolve: { conditions: ['source', ...defaultClientConditions] },
  plugins: [brotli, mapBackground],
  server: {
    host: '127.0.0.1',
    port: 5173,
    strictPort: true,
    proxy: { '/v2/cov/portal/config.json': COVERAGE, '^/v2/cov/(?!portal/)': COVERAGE },
  },
});
