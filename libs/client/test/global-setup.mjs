import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createDatabase,
  databaseUrl,
  dropDatabase,
  freePort,
  FROM_SOURCES,
  Program,
  ServiceProcess,
  startTestPostgres,
} from '@fibre/testing';
import { SETTINGS, stack, WORKSPACE } from './stack.ts';

/** Starts one development issuer and both services for all spec files. */
export default async function startStack() {
  const { PATH, HOME, TMPDIR } = process.env;
  const [folder, port, server] = [await mkdtemp(join(tmpdir(), 'fibre-client-')), await freePort(), await startTestPostgres()];
  const url = `http://127.0.0.1:${port}`;
  const issuer = new Program({
    name: 'issuer',
    args: [...FROM_SOURCES, 'dev-issuer/main.ts'],
    cwd: join(WORKSPACE, 'tools'),
    env: { PATH, HOME, DATA_DIR: folder, PORT: String(port) },
    readyUrl: `${url}/.well-known/openid-configuration`,
  });
  await issuer.ready();
  const id = randomBytes(6).toString('hex');
  const databases = [];
  const services = [];
  for (const name of ['coverage-service', 'event-service']) {
    const database = `client_${id}_${name}`;
    await createDatabase(server.directUrl, database);
    databases.push(database);
    const env = { PATH, HOME, TMPDIR, DATABASE_URL: databaseUrl(server.url, database), OAUTH_ISSUER: url, LOG_LEVEL: 'warn', ...SETTINGS };
    services.push(new ServiceProcess(name, await freePort(), env));
  }
  globalThis.stopStack = async () => {
    await Promise.all([...services, issuer].map((program) => program.stop()));
    for (const database of databases) await dropDatabase(server.directUrl, database);
    await Promise.all([server.stop(), rm(folder, { recursive: true })]);
  };
  const [coverage, events] = await Promise.all(services.map((service) => service.ready()));
  // With one worker, the tests run in this process, which has already loaded stack.ts.
  process.env.TEST_STACK = JSON.stringify(Object.assign(stack, { coverageUrl: coverage.url, eventsUrl: events.url, issuer: url }));
}
