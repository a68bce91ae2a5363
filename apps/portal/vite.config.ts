import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { defaultClientConditions, defineConfig, type Plugin } from 'vite';
import { mapBackground } from './map-background.js';

/** Where coverage-service serves what is built here. */
const BASE = '/v2/cov/portal/';
/** The stack that `npm start` runs. */
const COVERAGE = `http://127.0.0.1:${process.env.COVERAGE_PORT ?? 3001}`;
/** The best takes ten times as long as this and makes files 5 % smaller. */
const COMPRESSION = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
const COMPRESSIBLE = /\.(?:html|js|css|svg|json|webmanifest)$/;

/** Puts a Brotli copy beside each text, which coverage-service sends to who takes it. */
const brotli: Plugin = {
  name: 'brotli',
  apply: 'build',
  generateBundle: {
    order: 'post',
    async handler(_options, bundle) {
      for (const [fileName, file] of Object.entries(bundle)) {
        if (!COMPRESSIBLE.test(fileName)) continue;
        const text = file.type === 'chunk' ? file.code : file.source;
        this.emitFile({ type: 'asset', fileName: `${fileName}.br`, source: await promisify(brotliCompress)(text, COMPRESSION) });
      }
    },
  },
};

export default defineConfig({
  base: BASE,
  clearScreen: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  // What is inlined as a data: URL would need a hole in the Content-Security-Policy.
  build: { assetsInlineLimit: 0, modulePreload: { polyfill: false }, chunkSizeWarningLimit: 1_700 },
  // The client library as its sources, without a build before.
  resolve: { conditions: ['source', ...defaultClientConditions] },
  plugins: [brotli, mapBackground],
  server: {
    host: '127.0.0.1',
    port: 5173,
    strictPort: true,
    proxy: { '/v2/cov/portal/config.json': COVERAGE, '^/v2/cov/(?!portal/)': COVERAGE },
  },
});
