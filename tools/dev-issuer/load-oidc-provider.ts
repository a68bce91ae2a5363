import type * as oidcProvider from 'oidc-provider';

const RUNTIME_WARNING = 'Unsupported runtime.';

/**
 * Loads oidc-provider without its line about the runtime: it recommends Node.js 22, this workspace also supports 20, where
 * the tests of this folder cover all that the issuer uses of it. Every other warning passes.
 */
export async function loadOidcProvider(): Promise<typeof oidcProvider> {
  const warn = console.warn;
  console.warn = (...args: unknown[]) => {
    if (!String(args[0]).includes(RUNTIME_WARNING)) warn(...args);
  };
  try {
    return await import('oidc-provider');
  } finally {
    console.warn = warn;
  }
}
