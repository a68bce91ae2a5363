import { startTestService, type TokenOptions } from '@fibre/testing';
import { coverageService } from '../../src/coverage-service.js';
import { NODES } from '../access-nodes/access-nodes.js';

export const READ = 'coverage:read';
export const nowSeconds = (): number => Math.floor(Date.now() / 1_000);

export type Tokens = Awaited<ReturnType<typeof startForTokens>>;

/** The service, and functions that create tokens and send them to it. */
export async function startForTokens(settings: Record<string, string> = {}) {
  const service = await startTestService(coverageService, settings);
  /** A token that is valid for a read, unless the options say otherwise. */
  const token = (options: TokenOptions = {}): Promise<string> => service.issuer.token({ scope: READ, ...options });
  const call = (authorization: string) => service.anonymous().get(NODES).set('authorization', authorization);
  const accepts = async (bearer: string): Promise<number> => (await call(`Bearer ${bearer}`)).status;
  const answerTo = async (authorization: string) => {
    const { headers, body } = await call(authorization);
    return { challenge: headers['www-authenticate'], body };
  };
  return { service, token, call, accepts, answerTo };
}

/** Result of `answerTo` for a rejected token. */
export const refused = (detail: string, hint = 'Get a new token from the issuer.') => ({
  challenge: `Bearer realm="open-access-fibre", error="invalid_token", error_description="${detail}"`,
  body: {
    type: 'urn:open-access-fibre:problem:token-invalid',
    title: 'The access token is not valid',
    status: 401,
    detail,
    instance: NODES,
    code: 'token-invalid',
    hint,
    request_id: expect.any(String),
  },
});
