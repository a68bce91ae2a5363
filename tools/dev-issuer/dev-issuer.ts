import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { acceptPortals, providerConfiguration } from './provider-configuration.js';
import { signInPage } from './sign-in-page.js';
import { signingKeys } from './signing-keys.js';

export interface DevIssuerOptions {
  host: string;
  /** 0 for any free port. */
  port: number;
  /** Folder for the signing keys. */
  dataDir: string;
}

export interface DevIssuer {
  /** The issuer identifier: `OAUTH_ISSUER` of the services. */
  url: string;
  close(): Promise<void>;
}

/** Starts the development OAuth 2.0 issuer: real signed tokens for demo clients and people. Never use it in production. */
export const startDevIssuer = (options: DevIssuerOptions): Promise<DevIssuer> => withoutExpectedWarnings(() => start(options));

async function start({ host, port, dataDir }: DevIssuerOptions): Promise<DevIssuer> {
  const keys = await signingKeys(dataDir);
  const { errors, Provider } = await import('oidc-provider');
  const server = createServer();
  server.listen(port, host);
  await once(server, 'listening');

  // Nothing is awaited from here on: a request that arrives while there is no handler is never answered.
  const url = `http://${host}:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(url, providerConfiguration(keys, errors));
  acceptPortals(provider);
  const [handle, signIn] = [provider.callback(), signInPage(provider)];
  server.on('request', (request, response) => void (signIn(request, response) ?? handle(request, response)));
  return {
    url,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Warnings from oidc-provider about what is intended here: Node.js 20, which the tests of this folder cover, and sessions in memory. */
const EXPECTED_WARNING = /Unsupported runtime\.|in-memory adapter/;

async function withoutExpectedWarnings<T>(work: () => Promise<T>): Promise<T> {
  const warn = console.warn;
  console.warn = (...args: unknown[]) => {
    if (!EXPECTED_WARNING.test(String(args[0]))) warn(...args);
  };
  try {
    return await work();
  } finally {
    console.warn = warn;
  }
}
