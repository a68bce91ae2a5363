import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { loadOidcProvider } from './load-oidc-provider.js';
import { providerConfiguration } from './provider-configuration.js';
import { signingKeys } from './signing-keys.js';

export interface DevIssuerOptions {
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** Where the signing keys live. */
  dataDir: string;
}

export interface DevIssuer {
  /** The issuer identifier: `OAUTH_ISSUER` of the services. */
  url: string;
  close(): Promise<void>;
}

/** Starts the development OAuth 2.0 issuer: real signed tokens for well-known demo clients. Never a production issuer. */
export async function startDevIssuer({ host, port, dataDir }: DevIssuerOptions): Promise<DevIssuer> {
  const keys = await signingKeys(dataDir);
  const { Provider, errors } = await loadOidcProvider();
  const server = createServer();
  server.listen(port, host);
  await once(server, 'listening');

  const url = `http://${host}:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(url, providerConfiguration(keys, errors));
  const handle = provider.callback();
  server.on('request', (request, response) => void handle(request, response));
  return {
    url,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
