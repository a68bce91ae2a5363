import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, FROM_SOURCES, Program } from '@fibre/testing/processes';

/** Starts one development issuer for all spec files. */
export default async function startIssuer() {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'fibre-client-issuer-'));
  const { PATH, HOME } = process.env;
  const issuer = new Program({
    name: 'issuer',
    args: [...FROM_SOURCES, 'dev-issuer/main.ts'],
    cwd: join(import.meta.dirname, '../../../tools'),
    env: { PATH, HOME, DATA_DIR, PORT: String(port) },
    readyUrl: `${url}/.well-known/openid-configuration`,
  });
  await issuer.ready();
  globalThis.stopIssuer = async () => {
    await issuer.stop();
    await rm(DATA_DIR, { recursive: true });
  };
  process.env.TEST_ISSUER = url;
}
