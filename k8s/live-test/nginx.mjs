// The proxies in front of the services in a cluster: an nginx configured from an Ingress, and two kinds of Kubernetes Service behind it.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@fibre/testing/processes';
import { HOST, start, startRelay } from './backends.mjs';

/** Longer than any request to the services may take. */
const ANSWER_WITHIN_MS = 60_000;
const RELOADED_WITHIN_MS = 30_000;

/**
 * @param ports ports of the backends, keyed by the name of their Kubernetes Service
 * @param keepAlive whether connections to the backends stay open
 * @returns `send`, which sends a TLS request with exactly the given path to a host behind the proxy, and `get`
 */
export async function startNginx(test, ingress, ports, { keepAlive = false } = {}) {
  const port = await freePort();
  const hosts = [...ingress.spec.rules.map(({ host }) => host), 'unknown.example.net'];
  const { folder } = await startProcess(test, (own) => {
    makeCertificate(own, hosts);
    return ingressConfiguration(own, port, ingress, ports, keepAlive);
  });
  const ca = readFileSync(join(folder, 'certificate.pem'));
  const send = ({ method = 'GET', host, path, headers = {}, body, agent }) =>
    new Promise((resolve, reject) => {
      const options = { method, host: HOST, port, path, ca, agent, servername: host, headers: { host: `${host}:${port}`, ...headers } };
      const sent = request(options, (response) => {
        const toAnswer = (chunks) => ({ status: response.statusCode, headers: response.headers, body: chunks.join('') });
        response.toArray().then((chunks) => resolve(toAnswer(chunks)), reject);
      });
      sent.setTimeout(ANSWER_WITHIN_MS, () => sent.destroy(new Error(`no response within ${ANSWER_WITHIN_MS} ms`)));
      sent.on('error', reject).end(body);
    });
  return { send, get: (host, path, headers) => send({ host, path, headers }), port };
}

/**
 * A Kubernetes Service as seen by an ingress controller that connects to pods directly: a changing list of their addresses.
 *
 * It is a separate nginx, because a reload closes idle client connections, some of them during the next request. Clients connect to the
 * other nginx, which never reloads.
 *
 * @param endpoints ports of the replicas, keyed by the name of the service
 * @returns `ports`, keyed by the same names; `keepAlive`, whether connections to them may be kept open; and `setEndpoints`, which settles
 *   once nothing uses the old endpoints
 */
export async function startBalancer(test, endpoints) {
  const current = new Map(endpoints);
  const ports = new Map();
  for (const name of endpoints.keys()) ports.set(name, await freePort());
  const server = ([name, port]) => `server { listen ${HOST}:${port}; location / { proxy_pass http://${name}; } }`;
  const { reload } = await startProcess(
    test,
    () => `proxy_set_header Host $http_host; ${upstreams(current, true)} ${[...ports].map(server).join('\n  ')}`,
  );
  let last = Promise.resolve();
  const setEndpoints = (name, replicas) => {
    current.set(name, replicas);
    // Reloads run one after the other, because nginx merges reloads that are requested at the same time.
    return (last = last.then(reload));
  };
  return { ports, setEndpoints, keepAlive: false };
}

/**
 * A Kubernetes Service as seen by a proxy that connects to its cluster IP: the replica is chosen for each new connection, and a connection
 * stays open after its replica has left the endpoints. Parameters and result are the same as for `startBalancer`.
 */
export async function startClusterIps(test, endpoints) {
  const current = new Map(endpoints);
  const relays = new Map();
  for (const name of endpoints.keys()) {
    let turn = 0;
    relays.set(name, await startRelay(test, () => current.get(name)[turn++ % current.get(name).length]));
  }
  const setEndpoints = async (name, replicas) => {
    const former = current.get(name).filter((replica) => !replicas.includes(replica));
    current.set(name, replicas);
    while (former.some((replica) => relays.get(name).isConnectedTo(replica))) await sleep(20);
  };
  return { ports: new Map([...relays].map(([name, { port }]) => [name, port])), setEndpoints, keepAlive: true };
}

/**
 * Starts an nginx with a single configuration file.
 *
 * @param http returns the content of `http {}`, given this nginx's folder
 * @returns `reload`, which settles once no process uses the old configuration
 */
async function startProcess(test, http) {
  const folder = mkdtempSync(join(tmpdir(), 'fibre-nginx-'));
  test.after(() => rmSync(folder, { recursive: true }));
  const status = `${HOST}:${await freePort()}`;
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ');
  const file = join(folder, 'nginx.conf');
  const write = () =>
    writeFileSync(
      file,
      `daemon off; worker_processes 1; pid ${folder}/nginx.pid; events {}
http {
  access_log off; ${temporary}
  server { listen ${status}; keepalive_timeout 0; return 200 $pid; }
  ${http(folder)}
}
`,
    );
  write();
  const program = await start(test, { command: 'nginx', args: ['-c', file, '-e', 'stderr'], readyUrl: `http://${status}/` });
  const reload = async () => {
    const worker = Number(await (await fetch(`http://${status}/`)).text());
    write();
    program.signal('SIGHUP');
    for (const end = Date.now() + RELOADED_WITHIN_MS; isAlive(worker); await sleep(20))
      if (Date.now() > end) throw new Error(`nginx still uses its old configuration: ${program.lines.join('\n')}`);
  };
  return { folder, reload };
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/**
 * Failed requests are not retried, and failed backends remain in use, because anything else would hide a failure. If a proxy only learns
 * from responses that a backend is shutting down, it must close idle connections before the backend does.
 */
const upstreams = (endpoints, keepAlive) => `
  proxy_next_upstream off; proxy_http_version 1.1; ${keepAlive ? 'proxy_set_header Connection "";' : ''}
  ${[...endpoints].map(([name, ports]) => `upstream ${name} { ${ports.map((port) => `server ${HOST}:${port} max_fails=0;`).join(' ')} ${keepAlive ? 'keepalive 16; keepalive_timeout 1s;' : ''} }`).join('\n  ')}`;

/** Annotations for ingress-nginx, and the configuration that it generates from them. */
const DIRECTIVES = {
  'proxy-body-size': (value) => `client_max_body_size ${value};`,
  'proxy-request-buffering': (value) => `proxy_request_buffering ${value};`,
  'proxy-buffering': (value) => `proxy_buffering ${value};`,
  'proxy-read-timeout': (value) => `proxy_read_timeout ${value}s;`,
  'proxy-send-timeout': (value) => `proxy_send_timeout ${value}s;`,
};
const ANNOTATION = 'nginx.ingress.kubernetes.io/';
const directives = (annotations = {}) =>
  Object.entries(annotations)
    .filter(([name]) => name.startsWith(ANNOTATION))
    .map(([name, value]) => DIRECTIVES[name.slice(ANNOTATION.length)](value))
    .join(' ');

const ingressConfiguration = (folder, port, { metadata, spec }, ports, keepAlive) => `
  ${upstreams(new Map([...ports].map(([name, backend]) => [name, [backend]])), keepAlive)}
  ssl_certificate ${folder}/certificate.pem; ssl_certificate_key ${folder}/key.pem;
  ${directives(metadata.annotations)}
  proxy_set_header Host $http_host;
  proxy_set_header X-Forwarded-Host $http_host;
  proxy_set_header X-Forwarded-Proto $scheme;
  proxy_set_header X-Forwarded-For $remote_addr;
  server { listen ${HOST}:${port} ssl default_server; return 404; }
  ${spec.rules.map(({ host, http }) => `server { listen ${HOST}:${port} ssl; server_name ${host}; ${http.paths.map(locations).join(' ')} location / { return 404; } }`).join('\n  ')}`;

/** `pathType: Prefix` means the path itself and everything below it, but not paths that merely begin with the same letters. */
function locations({ path, pathType, backend }) {
  if (pathType !== 'Prefix') throw new Error(`pathType ${pathType} is not supported here`);
  const target = `{ proxy_pass http://${backend.service.name}; }`;
  return `location = ${path} ${target} location ${path}/ ${target}`;
}

function makeCertificate(folder, hosts) {
  const key = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1'.split(' ');
  const names = `subjectAltName=${hosts.map((host) => `DNS:${host}`).join(',')}`;
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'certificate.pem')];
  execFileSync('openssl', ['req', ...key, '-subj', '/CN=live test', '-addext', names, ...files], { stdio: 'ignore' });
}
