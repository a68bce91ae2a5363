import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type ClientAuthMethod, type Configuration, Provider } from 'oidc-provider';
import { clientCredentials } from '../src/index.js';

const METADATA = '/.well-known/openid-configuration';
/** In a Basic header, all of these are encoded first (RFC 6749 section 2.3.1). */
const CLIENT = { clientId: 'ano:demo+%41 ~1', clientSecret: 's:e%63c+r/e t=&' };

let server: Server | undefined;
afterEach(async () => {
  server?.closeAllConnections();
  server?.close();
  if (server) await once(server, 'close');
  server = undefined;
});

/** Starts an issuer that accepts these methods. @param isSilent its metadata does not list them */
async function startIssuer(methods: ClientAuthMethod[], isSilent = false): Promise<string> {
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const configuration: Configuration = {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        token_endpoint_auth_method: methods[0],
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
      },
    ],
    clientAuthMethods: methods,
    features: { clientCredentials: { enabled: true }, devInteractions: { enabled: false } },
  };
  const warn = console.warn;
  console.warn = () => undefined;
  try {
    const provider = new Provider(url, configuration);
    provider.use(async (context, next) => {
      await next();
      if (isSilent && context.path === METADATA) delete (context.body as Record<string, unknown>)['token_endpoint_auth_methods_supported'];
    });
    const handle = provider.callback();
    server.on('request', (request, response) => void handle(request, response));
  } finally {
    console.warn = warn;
  }
  return url;
}

it.each<[string, ClientAuthMethod[], boolean]>([
  ['only basic', ['client_secret_basic'], false],
  ['only post', ['client_secret_post'], false],
  ['both', ['client_secret_basic', 'client_secret_post'], false],
  ['basic, without saying so', ['client_secret_basic'], true],
])('gets a token from an issuer that accepts %s, whatever characters the secret has', async (_name, methods, isSilent) => {
  const issuer = await startIssuer(methods, isSilent);
  expect(await clientCredentials({ issuer, ...CLIENT })()).toEqual(expect.any(String));
});

it('names the methods of an issuer that accepts no secret', async () => {
  const issuer = await startIssuer(['private_key_jwt', 'none']);
  const error = await clientCredentials({ issuer, ...CLIENT })().catch((fault: Error) => fault);
  expect(String(error)).toBe(
    `TokenError: No access token from ${issuer}: the issuer authenticates clients by private_key_jwt, none; this client knows client_secret_basic, client_secret_post`,
  );
});

it('sends the secret as the issuer says, and only that way', async () => {
  const seen: { authorization?: string; body: string }[] = [];
  server = createServer((request, response) => {
    void (async () => {
      const issuer = `http://${request.headers.host}`;
      let body = '';
      for await (const chunk of request) body += String(chunk);
      response.setHeader('content-type', 'application/json');
      if (request.url === METADATA) return response.end(JSON.stringify({ issuer, token_endpoint: `${issuer}/token` }));
      seen.push({ authorization: request.headers.authorization, body });
      return response.end(JSON.stringify({ access_token: 'a', token_type: 'bearer', expires_in: 60 }));
    })();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const wanted = { scope: 'coverage:read', audience: 'fibre', resource: 'urn:fibre' };
  await clientCredentials({ issuer, clientId: 'me', clientSecret: 'a:b%c+d e', ...wanted })();

  expect(Buffer.from(seen[0]!.authorization!.replace('Basic ', ''), 'base64').toString()).toBe('me:a%3Ab%25c%2Bd+e');
  expect(Object.fromEntries(new URLSearchParams(seen[0]!.body))).toEqual({ ...wanted, grant_type: 'client_credentials' });
});
