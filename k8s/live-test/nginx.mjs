// An nginx that does what an Ingress says, as an ingress controller would.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { startNginxProcess } from './nginx-process.mjs';
import { freePort, HOST } from './program.mjs';
import { upstreams } from './upstreams.mjs';

/** Longer than the services let a request take. */
const ANSWER_WITHIN_MS = 60_000;

/**
 * @param ports of the backends by the name of their Kubernetes Service
 * @param keepAlive whether connections to the backends stay open
 * @returns `send`, which sends a request by TLS to a host behind the proxy, with the path as it is, and `get`
 */
export async function startNginx(test, ingress, ports, { keepAlive = false } = {}) {
  const port = await freePort();
  const hosts = ingress.spec.rules.map(({ host }) => host);
  const { folder } = await startNginxProcess(test, (own) => {
    makeCertificate(own, [...hosts, 'unknown.example.net']);
    return configuration(own, port, ingress, ports, keepAlive);
  });

  const ca = readFileSync(join(folder, 'certificate.pem'));
  const send = ({ method = 'GET', host, path, headers = {}, body, agent }) =>
    new Promise((resolve, reject) => {
      const options = { method, host: HOST, port, path, ca, agent, servername: host, headers: { host: `${host}:${port}`, ...headers } };
      const sent = request(options, (response) => {
        response
          .toArray()
          .then((chunks) => resolve({ status: response.statusCode, headers: response.headers, body: chunks.join('') }), reject);
      });
      sent.setTimeout(ANSWER_WITHIN_MS, () => sent.destroy(new Error(`no answer within ${ANSWER_WITHIN_MS} ms`)));
      sent.on('error', reject).end(body);
    });
  return { send, get: (host, path, headers) => send({ host, path, headers }), port };
}

/** Annotations of ingress-nginx, and what it writes into its configuration for them. */
const DIRECTIVES = {
  'proxy-body-size': (value) => `client_max_body_size ${value};`,
  'proxy-request-buffering': (value) => `proxy_request_buffering ${value};`,
  'proxy-buffering': (value) => `proxy_buffering ${value};`,
  'proxy-read-timeout': (value) => `proxy_read_timeout ${value}s;`,
  'proxy-send-timeout': (value) => `proxy_send_timeout ${value}s;`,
};
const ANNOTATION = 'nginx.ingress.kubernetes.io/';

function directives(annotations = {}) {
  const own = Object.entries(annotations).filter(([name]) => name.startsWith(ANNOTATION));
  return own.map(([name, value]) => DIRECTIVES[name.slice(ANNOTATION.length)](value)).join('\n  ');
}

const configuration = (folder, port, { metadata, spec }, ports, keepAlive) => `
  ${upstreams(new Map([...ports].map(([name, backend]) => [name, [backend]])), keepAlive)}
  ssl_certificate ${folder}/certificate.pem;
  ssl_certificate_key ${folder}/key.pem;
  ${directives(metadata.annotations)}
  proxy_set_header Host $http_host;
  proxy_set_header X-Forwarded-Host $http_host;
  proxy_set_header X-Forwarded-Proto $scheme;
  proxy_set_header X-Forwarded-For $remote_addr;
  server { listen ${HOST}:${port} ssl default_server; return 404; }
  ${spec.rules.map((rule) => server(rule, port)).join('\n  ')}`;

const server = ({ host, http }, port) => `server {
    listen ${HOST}:${port} ssl;
    server_name ${host};
    ${http.paths.map(locations).join('\n    ')}
    location / { return 404; }
  }`;

/** What `pathType: Prefix` means: the path itself and all below it, but not what only begins with the same letters. */
function locations({ path, pathType, backend }) {
  if (pathType !== 'Prefix') throw new Error(`pathType ${pathType} is not known here`);
  const target = `{ proxy_pass http://${backend.service.name}; }`;
  return `location = ${path} ${target}\n    location ${path}/ ${target}`;
}

function makeCertificate(folder, hosts) {
  const names = hosts.map((host) => `DNS:${host}`).join(',');
  const options = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '1',
    '-subj',
    '/CN=live test',
    '-addext',
    `subjectAltName=${names}`,
  ];
  execFileSync('openssl', [...options, '-keyout', join(folder, 'key.pem'), '-out', join(folder, 'certificate.pem')], { stdio: 'ignore' });
}
