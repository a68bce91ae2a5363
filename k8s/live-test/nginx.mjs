// An nginx that does what an Ingress says, as an ingress controller would.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, HOST, start } from './backends.mjs';

/** @returns a function that sends a GET by TLS to a host behind the proxy; the path goes out as it is */
export async function startNginx(test, ingress, ports) {
  const folder = mkdtempSync(join(tmpdir(), 'fibre-nginx-'));
  test.after(() => rmSync(folder, { recursive: true }));
  const port = await freePort();
  const statusPort = await freePort();
  const hosts = ingress.spec.rules.map(({ host }) => host);
  makeCertificate(folder, [...hosts, 'unknown.example.net']);
  writeFileSync(join(folder, 'nginx.conf'), configuration(folder, port, statusPort, ingress, ports));
  await start(test, { command: 'nginx', args: ['-c', join(folder, 'nginx.conf'), '-e', 'stderr'], readyUrl: `http://${HOST}:${statusPort}/` });

  const ca = readFileSync(join(folder, 'certificate.pem'));
  const get = (host, path, headers = {}) =>
    new Promise((resolve, reject) => {
      const options = { host: HOST, port, path, ca, servername: host, headers: { host: `${host}:${port}`, ...headers } };
      const sent = request(options, async (response) => {
        const body = (await response.toArray()).join('');
        resolve({ status: response.statusCode, headers: response.headers, body });
      });
      sent.on('error', reject).end();
    });
  return { get, port };
}

function configuration(folder, port, statusPort, { spec }, ports) {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`);
  return `
daemon off;
pid ${folder}/nginx.pid;
events {}
http {
  access_log off;
  ${temporary.join(' ')}
  ssl_certificate ${folder}/certificate.pem;
  ssl_certificate_key ${folder}/key.pem;
  proxy_set_header Host $http_host;
  proxy_set_header X-Forwarded-Host $http_host;
  proxy_set_header X-Forwarded-Proto $scheme;
  proxy_set_header X-Forwarded-For $remote_addr;
  server { listen ${HOST}:${statusPort}; return 204; }
  server { listen ${HOST}:${port} ssl default_server; return 404; }
  ${spec.rules.map((rule) => server(rule, port, ports)).join('\n  ')}
}
`;
}

const server = ({ host, http }, port, ports) => `server {
    listen ${HOST}:${port} ssl;
    server_name ${host};
    ${http.paths.map((path) => locations(path, ports)).join('\n    ')}
    location / { return 404; }
  }`;

/** What `pathType: Prefix` means: the path itself and all below it, but not what only begins with the same letters. */
function locations({ path, pathType, backend }, ports) {
  if (pathType !== 'Prefix') throw new Error(`pathType ${pathType} is not known here`);
  const target = `{ proxy_pass http://${HOST}:${ports.get(backend.service.name)}; }`;
  return `location = ${path} ${target}\n    location ${path}/ ${target}`;
}

function makeCertificate(folder, hosts) {
  const names = hosts.map((host) => `DNS:${host}`).join(',');
  const options = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1', '-subj', '/CN=live test', '-addext', `subjectAltName=${names}`];
  execFileSync('openssl', [...options, '-keyout', join(folder, 'key.pem'), '-out', join(folder, 'certificate.pem')], { stdio: 'ignore' });
}
