import assert from 'node:assert/strict';
import { join } from 'node:path';
import { FROM_SOURCES, freePort, Program } from '@fibre/testing/processes';

/** The issuer that signs people in. */
export interface Issuer {
  readonly url: string;
  /** Where the demo clients get their tokens. */
  readonly tokenUrl: string;
  /** The only port that the portal may use; if absent, any port is allowed. */
  readonly portalPort?: number;
  /** Invalidates all sessions and refresh tokens; access tokens stay valid. */
  forgetSessions(): Promise<void>;
  stop(): Promise<unknown>;
}

/** The issuer that `npm start` uses, on a free port. */
export async function startDevelopmentIssuer(environment: NodeJS.ProcessEnv): Promise<Issuer> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const start = (): Promise<Program> =>
    new Program({
      name: 'issuer',
      args: [...FROM_SOURCES, 'dev-issuer/main.ts'],
      cwd: join(import.meta.dirname, '../../../../../tools'),
      env: { ...environment, PORT: String(port) },
      readyUrl: `${url}/.well-known/openid-configuration`,
    }).ready();
  let program = await start();
  return {
    url,
    tokenUrl: `${url}/token`,
    // A restart makes the issuer forget everything except its keys.
    forgetSessions: async () => {
      await program.stop();
      program = await start();
    },
    stop: () => program.stop(),
  };
}

/**
 * A running Keycloak with the realm from docker/keycloak-realm.json and the administrator from docker/compose.yaml.
 *
 * @param url of the realm
 */
export function keycloak(url: string): Issuer {
  const administrator = { grant_type: 'password', client_id: 'admin-cli', username: 'admin', password: 'admin' };
  const post = async (path: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(new URL(path, url), { method: 'POST', ...init });
    assert.ok(response.ok, `${path}: ${response.status}`);
    return response;
  };
  return {
    url,
    tokenUrl: `${url}/protocol/openid-connect/token`,
    portalPort: 3001,
    forgetSessions: async () => {
      const response = await post('/realms/master/protocol/openid-connect/token', { body: new URLSearchParams(administrator) });
      const { access_token } = (await response.json()) as { access_token: string };
      const realm = new URL(url).pathname.split('/').at(-1)!;
      await post(`/admin/realms/${realm}/logout-all`, { headers: { authorization: `Bearer ${access_token}` } });
    },
    stop: () => Promise.resolve(),
  };
}
