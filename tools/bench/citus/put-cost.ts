import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withClient } from '@fibre/embedded-postgres';
import { activationOf } from '../event-service/activation.js';
import { TENANT } from '../event-service/load-events.js';
import type { Token } from '../issuer.js';
import { cpuSeconds } from '../process-stats.js';
import { send } from '../requests.js';
import type { Server } from '../running.js';

const [PUTS, AT_ONCE] = [4_000, 16];
const CREATED = 201;

/** What a PUT of a new activation costs, in words; for servers on this machine, which has to be a Linux. */
export async function putCost(databaseUrl: string, service: Server, token: Token): Promise<string> {
  const nodes = await postmasters(databaseUrl);
  if (!nodes) return 'What a PUT costs each server was not measured: not all of them are on this machine.';
  const writer = await token(TENANT, 'events:write');
  const groups = {
    service: () => cpuSeconds(service.pid),
    coordinator: () => ofChildren(nodes.slice(0, 1)),
    workers: () => ofChildren(nodes.slice(1)),
  };
  const read = () => Object.values(groups).map((seconds) => seconds());
  const put = async (count: number): Promise<void> => {
    for (let sent = 0; sent < count; sent++) await send(service, activationOf(randomUUID()), writer, CREATED);
  };
  const puts = (count: number) => Promise.all(Array.from({ length: AT_ONCE }, () => put(count / AT_ONCE)));
  await puts(PUTS / 4);
  const before = read();
  await puts(PUTS);
  const [ofService, ofCoordinator, ofWorkers] = read().map((seconds, i) => (((seconds - before[i]!) * 1_000) / PUTS).toFixed(2));
  return `A PUT of a new activation takes ${ofService} ms of processor time of event-service, ${ofCoordinator} ms of the coordinator and ${ofWorkers} ms of a worker.`;
}

/** Process ids, the coordinator's first; nothing where a server is on another machine. */
async function postmasters(databaseUrl: string): Promise<number[] | undefined> {
  const nodes = await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ nodename: string; nodeport: number }>(
      `select nodename, nodeport from pg_dist_node where noderole = 'primary' order by groupid`,
    );
    return rows;
  });
  const files: string[] = [];
  for (const { nodename, nodeport } of nodes) {
    const url = new URL(databaseUrl);
    [url.hostname, url.port] = [nodename, String(nodeport)];
    const { rows } = await withClient(url.href, (client) => client.query<{ data_directory: string }>('show data_directory'));
    files.push(join(rows[0]!.data_directory, 'postmaster.pid'));
  }
  return files.every((file) => existsSync(file)) ? files.map((file) => parseInt(readFileSync(file, 'utf8'), 10)) : undefined;
}

const ofChildren = (parents: number[]): number =>
  parents
    .flatMap((pid) => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean))
    .reduce((sum, child) => sum + cpuSeconds(Number(child)), 0);
