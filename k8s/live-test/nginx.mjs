// The proxies in front of the services in a cluster: an nginx configured from an Ingress, and the Kubernetes Services behind it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@fibre/testing/processes';
import { HOST, start, startRelay } from './backends.mjs';

/** Longer than any request to the services may take. */
const ANSWER_WITHIN_MS = 60_000;

/**
 * @param ports ports of the backends, keyed by the name of their Kubernetes Service
 * @param keepAlive whether connections to the backends stay open
 * @returns `send`, which sends a request with exactly the given path to a host behind the proxy, as if over TLS, and `get`
 */
export async function startNginx(test, ingress, ports, keepAlive = false) {
  const [port, status] = [await freePort(), `${HOST}:${await freePort()}`];
  const folder = mkdtempSync(join(tmpdir(), 'fibre-nginx-'));
  test.after(() => rmSync(folder, { recursive: true }));
  const configuration = ingressConfiguration(port, ingress, ports, keepAlive);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ');
  const file = `daemon off; worker_processes 1; pid ${folder}/nginx.pid; events {}
http {
  access_log off; ${temporary}
  server { listen ${status}; return 200; }
  ${configuration}
}
`;
  writeFileSync(join(folder, 'nginx.conf'), file);
  await start(test, { command: 'nginx', args: ['-c', join(folder, 'nginx.conf'), '-e', 'stderr'], readyUrl: `http://${status}/` });
  const send = ({ method = 'GET', host, path, headers = {}, body, agent }) =>
    new Promise((resolve, reject) => {
      const options = { method, host: HOST, port, path, agent, headers: { host: `${host}:${port}`, ...headers } };
      const sent = request(options, (response) => {
        const { statusCode, headers: answered } = response;
        text(response).then((content) => resolve({ status: statusCode, headers: answered, body: content }), reject);
      });
      sent.setTimeout(ANSWER_WITHIN_MS, () => sent.destroy(new Error(`no response within ${ANSWER_WITHIN_MS} ms`)));
      sent.on('error', reject).end(body);
    });
  return { send, get: (host, path, headers) => send({ host, path, headers }), port };
}

/**
 * Kubernetes Services: each chooses a replica for each new connection, which stays open after its replica has left the endpoints.
 *
 * @param endpoints ports of the replicas, keyed by the name of the service
 * @returns `ports`, keyed by the same names, and `setEndpoints`, which settles once nothing uses the old endpoints
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
  return { ports: new Map([...relays].map(([name, { port }]) => [name, port])), setEndpoints };
}

/**
 * Failed requests are not retried, and failed backends remain in use, because anything else would hide a failure. If a proxy only learns
 * from responses that a backend is shutting down, it must close idle connections before the backend does.
 */
const upstreams = (ports, keepAlive) => `
  proxy_next_upstream off; proxy_http_version 1.1; ${keepAlive ? 'proxy_set_header Connection "";' : ''}
  ${[...ports].map(([name, port]) => `upstream ${name} { server ${HOST}:${port} max_fails=0; ${keepAlive ? 'keepalive 16; keepalive_timeout 1s;' : ''} }`).join('\n  ')}`;

/** Annotations for ingress-nginx, and the configuration that it generates from them. */
const DIRECTIVES = {
  'proxy-body-size': (value) => `client_max_body_size ${value};`,
  'proxy-request-buffering': (value) => `proxy_request_buffering ${value};`,
  'proxy-buffering': (value) => `proxy_buffering ${value};`,
  'proxy-buffer-size': (value) => `proxy_buffer_size ${value}; proxy_buffers 4 ${value};`,
  'proxy-read-timeout': (value) => `proxy_read_timeout ${value}s;`,
  'proxy-send-timeout': (value) => `proxy_send_timeout ${value}s;`,
};
const ANNOTATION = 'nginx.ingress.kubernetes.io/';
const directives = (annotations = {}) =>
  Object.entries(annotations)
    .filter(([name]) => name.startsWith(ANNOTATION))
    .map(([name, value]) => DIRECTIVES[name.slice(ANNOTATION.length)](value))
    .join(' ');

const ingressConfiguration = (port, { metadata, spec }, ports, keepAlive) => `
  ${upstreams(ports, keepAlive)}
  ${directives(metadata.annotations)}
  proxy_set_header Host $http_host;
  proxy_set_header X-Forwarded-Host $http_host;
  proxy_set_header X-Forwarded-Proto https;
  proxy_set_header X-Forwarded-For $remote_addr;
  server { listen ${HOST}:${port} default_server; return 404; }
  ${spec.rules.map(({ host, http }) => `server { listen ${HOST}:${port}; server_name ${host}; ${http.paths.map(locations).join(' ')} location / { return 404; } }`).join('\n  ')}`;

/** `pathType: Prefix` means the path itself and everything below it, but not paths that merely begin with the same letters. */
function locations({ path, pathType, backend }) {
  if (pathType !== 'Prefix') throw new Error(`pathType ${pathType} is not supported here`);
  const target = `{ proxy_pass http://${backend.service.name}; }`;
  return `location = ${path} ${target} location ${path}/ ${target}`;
}
