import { randomUUID } from 'node:crypto';
import { chownSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createDataSource, Database, dataSourceOptions, migrate, openDataSource } from '@fibre/database';
import { type EmbeddedPostgres, removeEmbeddedPostgres, startEmbeddedPostgres } from '@fibre/embedded-postgres';
import { generate } from 'selfsigned';
import { ReadReplica } from '../../src/replica/read-replica.js';

const OWN_SESSION_IS_ENCRYPTED = 'select ssl from pg_stat_ssl where pid = pg_backend_pid()';

const root = path.join(tmpdir(), `fibre-tls-${randomUUID()}`);
let dataDir: string;
let server: EmbeddedPostgres | undefined;

beforeAll(async () => {
  await startServer({});
  dataDir = server!.dataDir;
  const authority = await generateAuthority('Authority');
  const stranger = await generateAuthority('Another Authority');
  writeFileSync(file('ca.crt'), authority.cert);
  writeFileSync(file('another-ca.crt'), stranger.cert);
  await generateServerCertificate('here', authority, [{ type: 7, ip: '127.0.0.1' }]);
  await generateServerCertificate('elsewhere', authority, [{ type: 2, value: 'database.example.net' }]);
});
afterAll(() => removeEmbeddedPostgres(root));

const file = (name: string): string => path.join(dataDir, name);

/** The same server and data, restarted with other settings. */
async function startServer(settings: Record<string, string | boolean>): Promise<void> {
  await server?.stop();
  server = await startEmbeddedPostgres({ root, database: 'fibre', settings: { fsync: false, ...settings } });
}
const startServerWithCertificate = (name: string) =>
  startServer({ ssl: true, ssl_cert_file: file(`${name}.crt`), ssl_key_file: file(`${name}.key`) });

async function generateAuthority(commonName: string) {
  const extensions = [
    { name: 'basicConstraints' as const, cA: true, critical: true },
    { name: 'keyUsage' as const, keyCertSign: true, critical: true },
  ];
  const { cert, private: key } = await generate([{ name: 'commonName', value: commonName }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions,
  });
  return { cert, key };
}

async function generateServerCertificate(
  name: string,
  ca: { cert: string; key: string },
  altNames: { type: 2 | 7; value?: string; ip?: string }[],
) {
  const pair = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    ca,
    extensions: [{ name: 'subjectAltName', altNames }],
  });
  writeFileSync(file(`${name}.crt`), pair.cert);
  writeFileSync(file(`${name}.key`), pair.private, { mode: 0o600 });
  // The server may run as another user, and only accepts a key file that belongs to that user.
  const { uid, gid } = statSync(dataDir);
  chownSync(file(`${name}.key`), uid, gid);
}

/** The URL as docs/operations.md describes it. */
function verifiedUrl(ca = 'ca.crt'): string {
  const url = new URL(server!.url);
  url.search = new URLSearchParams({ sslmode: 'verify-full', sslrootcert: file(ca) }).toString();
  return url.href;
}
const settings = (url = verifiedUrl()) => ({ url, poolSize: 1, applicationName: 'spec', entities: [], migrations: [] });
const open = (url?: string) => openDataSource(dataSourceOptions(settings(url)));

test('connections for the service, for migrations and to a replica use TLS if the CA signed the server certificate', async () => {
  await startServerWithCertificate('here');
  const dataSource = await open();
  await expect(dataSource.query(OWN_SESSION_IS_ENCRYPTED)).resolves.toEqual([{ ssl: true }]);
  await dataSource.destroy();
  await expect(migrate(createDataSource(settings()))).resolves.toEqual([]);
  const replica = new ReadReplica(verifiedUrl(), settings());
  expect((await replica.pool.query(OWN_SESSION_IS_ENCRYPTED)).rows).toEqual([{ ssl: true }]);
  await replica.onApplicationShutdown();
});

const refusals: [why: string, certificate: string | undefined, ca: string | undefined, reason: RegExp][] = [
  ['another CA signed the certificate', 'here', 'another-ca.crt', /unable to verify the first certificate|issuer certificate/],
  ['the certificate is for another host', 'elsewhere', undefined, /does not match certificate's altnames.*127\.0\.0\.1/],
  ['the server has no TLS', undefined, undefined, /does not support SSL/],
  ['the CA file is missing', 'here', 'no-ca.crt', /no such file.*no-ca\.crt/],
];
test.each(refusals)(
  'if %s, startup fails immediately with that reason, and a read replica with the same fault is ignored',
  async (...[, certificate, ca, reason]) => {
    await (certificate ? startServerWithCertificate(certificate) : startServer({}));
    const failure = await open(verifiedUrl(ca)).catch((error: Error) => error.message);
    expect(failure).toMatch(/^the database cannot be used: [^\n]+$/);
    expect(failure).toMatch(reason);

    const dataSource = await open(server!.url);
    const replica = new ReadReplica(verifiedUrl(ca), settings(server!.url));
    replica.onModuleInit();
    const database = new Database(dataSource, {}, replica);
    await expect(database.read({ name: 'one', text: 'select 1 as one', values: [] })).resolves.toEqual([{ one: 1 }]);
    expect(replica.isInUse).toBe(false);
    await Promise.all([dataSource.destroy(), replica.onApplicationShutdown()]);
  },
);
