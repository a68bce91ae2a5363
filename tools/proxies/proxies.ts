import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, Program } from '@fibre/testing/processes';
import { HOST, WORKSPACE } from '../workspace.js';

/** Debian's servers are in /usr/sbin; Caddy warns without a home. */
export const ENV = { PATH: `${process.env.PATH}:/usr/sbin`, HOME: tmpdir() };

/** A proxy with a configuration of this repository. */
export interface Proxy {
  readonly name: string;
  readonly version: string;
  /** The file in the repository. */
  readonly file: string;
  /** The whole configuration, made from the file. */
  readonly configuration: (file: string, folder: string) => string;
  readonly command: (configuration: string) => readonly string[];
  /** Whether it sends the whole body before it reads the response. */
  readonly isPatient?: boolean;
}

export const PROXIES: readonly Proxy[] = [
  {
    name: 'nginx',
    version: 'nginx -v 2>&1',
    file: 'docker/nginx.conf',
    configuration: (file, folder) =>
      `daemon off; pid ${folder}/pid; events {} http { access_log off; ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ')} ${file} }`,
    command: (configuration) => ['nginx', '-c', configuration, '-e', 'stderr'],
  },
  {
    name: 'HAProxy',
    version: 'haproxy -v',
    file: 'docs/proxies/haproxy.cfg',
    configuration: (file) => file,
    command: (configuration) => ['haproxy', '-db', '-f', configuration],
  },
  {
    name: 'Caddy',
    version: 'caddy version',
    file: 'deploy/one-machine/apis.caddy',
    configuration: (file) => `{\n\tadmin off\n\tauto_https off\n}\n:8080 {\n${file}\n}`,
    command: (configuration) => ['caddy', 'run', '--adapter', 'caddyfile', '--config', configuration],
  },
  {
    name: 'Apache httpd',
    version: 'apache2 -v',
    file: 'docs/proxies/httpd.conf',
    configuration: (file, folder) =>
      [
        ...['mpm_event', 'authz_core', 'headers', 'proxy', 'proxy_http', 'reqtimeout'].map(
          (module) => `LoadModule ${module}_module /usr/lib/apache2/modules/mod_${module}.so`,
        ),
        `ServerRoot ${folder}`,
        `PidFile ${folder}/pid`,
        'ServerName localhost',
        `ErrorLog ${folder}/log`,
        `Listen ${HOST}:8080`,
        file,
      ].join('\n'),
    command: (configuration) => ['apache2', '-DFOREGROUND', '-f', configuration],
    isPatient: true,
  },
];

/** The proxies that run. */
export class RunningProxies {
  private readonly started: Program[] = [];
  private isStopping = false;

  /** Starts a proxy that passes requests on to services on these ports. @returns its port */
  async start({ name, file, configuration, command }: Proxy, coverage: number, events: number): Promise<number> {
    const [port, folder] = [await freePort(), mkdtempSync(join(tmpdir(), 'proxy-'))];
    const source = readFileSync(join(WORKSPACE, file), 'utf8')
      .replaceAll(/coverage-service:8080|127\.0\.0\.1:3001/g, `${HOST}:${coverage}`)
      .replaceAll(/event-service:8080|127\.0\.0\.1:3002/g, `${HOST}:${events}`);
    const path = join(folder, 'configuration');
    writeFileSync(path, configuration(source, folder).replaceAll('8080', String(port)));
    const [program, ...args] = command(path);
    const proxy = new Program({ name, command: program, args, env: ENV, readyUrl: '' });
    this.started.push(proxy);
    void proxy.gone.then((reason) => {
      rmSync(folder, { recursive: true });
      if (!this.isStopping) console.error([`${name} ${reason}`, ...proxy.lines.slice(-20)].join('\n'));
    });
    const answers = (): Promise<boolean> =>
      fetch(`http://${HOST}:${port}/`).then(
        (response) => response.status === 404,
        () => false,
      );
    for (let tries = 0; tries < 100 && !proxy.hasEnded && !(await answers()); tries++) await sleep(100);
    return port;
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await Promise.all(this.started.map((program) => program.stop()));
  }
}
