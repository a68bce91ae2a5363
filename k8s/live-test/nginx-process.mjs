// An nginx and the one file it is configured by.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, HOST, isAlive, start } from './program.mjs';

const RELOADED_WITHIN_MS = 30_000;

/**
 * @param http gives the inside of `http {}`; it is told a folder for what belongs to this nginx
 * @returns `reload`, which settles once no process works by the former configuration any more
 */
export async function startNginxProcess(test, http) {
  const folder = mkdtempSync(join(tmpdir(), 'fibre-nginx-'));
  test.after(() => rmSync(folder, { recursive: true }));
  const statusPort = await freePort();
  const file = join(folder, 'nginx.conf');
  const write = () => writeFileSync(file, configuration(folder, statusPort, http(folder)));
  write();
  const statusUrl = `http://${HOST}:${statusPort}/`;
  const program = await start(test, { command: 'nginx', args: ['-c', file, '-e', 'stderr'], readyUrl: statusUrl });

  const reload = async () => {
    const worker = Number(await (await fetch(statusUrl)).text());
    write();
    program.signal('SIGHUP');
    for (const end = Date.now() + RELOADED_WITHIN_MS; isAlive(worker); await sleep(20)) {
      if (Date.now() > end) throw new Error(`nginx still works by its former configuration: ${program.lines.join('\n')}`);
    }
  };
  return { folder, reload };
}

function configuration(folder, statusPort, http) {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`);
  return `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
events {}
http {
  access_log off;
  ${temporary.join(' ')}
  server { listen ${HOST}:${statusPort}; keepalive_timeout 0; return 200 $pid; }
  ${http}
}
`;
}
