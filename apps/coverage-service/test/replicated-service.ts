import {
  ReplicatedPostgres,
  startServiceProcess,
  startTcpRelay,
  startTestService,
  type TcpRelay,
  TEST_AUDIENCE,
  until,
} from '@fibre/testing';
import supertest from 'supertest';
import { coverageService } from '../src/coverage-service.js';
import { ALL_SCOPES, type Client, create, idsOf, list, type Node, SEARCH } from './access-nodes.js';

/** One of two instances of the service on the same two servers. */
export interface Instance {
  readonly url: string;
  readonly client: Client;
}

/** A primary, a standby behind a relay, and two instances of the service that differ in how far the standby may be behind. */
export interface Replicated {
  readonly servers: ReplicatedPostgres;
  readonly relay: TcpRelay;
  /** One second. */
  readonly strict: Instance;
  /** An hour; a process of its own. */
  readonly patient: Instance;
  readonly instances: readonly Instance[];
  close(): Promise<void>;
}

export async function startReplicated(): Promise<Replicated> {
  const servers = await ReplicatedPostgres.start('coverage');
  const relay = await startTcpRelay(() => servers.standby.port);
  const replica = new URL(servers.standbyUrl);
  replica.port = String(relay.port);
  const settings = (seconds: number) => ({ DATABASE_REPLICA_URL: replica.href, REPLICA_MAX_LAG_SECONDS: String(seconds) });
  const database = { url: servers.primaryUrl, drop: () => Promise.resolve() };
  const service = await startTestService(coverageService, settings(1), database);
  const program = await startServiceProcess('coverage-service', {
    ...settings(3_600),
    DATABASE_URL: servers.primaryUrl,
    OAUTH_ISSUER: service.issuer.url,
    OAUTH_AUDIENCE: TEST_AUDIENCE,
    REQUEST_DEADLINE_SECONDS: '300',
  });
  const token = await service.issuer.token({ scope: ALL_SCOPES });
  const [strict, patient] = [service.url, program.url].map((url) => ({
    url,
    client: supertest.agent(url).auth(token, { type: 'bearer' }),
  }));
  return {
    servers,
    relay,
    strict: strict!,
    patient: patient!,
    instances: [strict!, patient!],
    async close() {
      await Promise.all([service.close(), program.stop()]);
      relay.cut();
      await servers.close();
    },
  };
}

/** All metrics of an instance. */
export const metricsOf = async ({ url }: Instance): Promise<string> => (await fetch(`${url}/metrics`)).text();

/** One metric of an instance, by its name and labels as they are written. */
export async function metric(instance: Instance, series: string): Promise<number> {
  const line = (await metricsOf(instance)).split('\n').find((candidate) => candidate.startsWith(`db_replica_${series} `));
  if (!line) throw new Error(`there is no metric db_replica_${series}`);
  return Number(line.slice(line.lastIndexOf(' ')));
}

export const readsBy = (instance: Instance, pool: 'primary' | 'replica', reason: string): Promise<number> =>
  metric(instance, `reads_total{pool="${pool}",reason="${reason}"}`);

/** Ids of what a listing of the relation shows, and of what a search finds at the very place. */
export async function seenBy({ client }: Instance, { relation_id, center }: Node): Promise<{ listed: string[]; found: string[] }> {
  const [listed, found] = await Promise.all([
    list(client, { relation_id }),
    client.get(SEARCH).query({ center, search_radius: 0, limit: 10 }),
  ]);
  if (found.status !== 200) throw new Error(`the search failed: ${found.status} ${found.text}`);
  return { listed: idsOf(listed), found: idsOf(found.body as Node[]) };
}

let places = 0;

/** Creates a node where no other one is, and looks for it at once by another instance. */
export async function createAndLook(writer: Instance, reader: Instance): Promise<Node> {
  const place = places++;
  const node = await create(writer.client, { center: `${Math.floor(place / 100) / 100}, ${(place % 100) / 100}` });
  expect(await seenBy(reader, node)).toEqual({ listed: [node.node_id], found: [node.node_id] });
  return node;
}

/** Waits until reads of an instance are answered by this server for this reason. */
export async function untilReadsAre(instance: Instance, pool: 'primary' | 'replica', reason: string): Promise<void> {
  const before = await readsBy(instance, pool, reason);
  await until(`reads by the ${pool}, ${reason}`, async () => {
    await list(instance.client, { _page_size: 1 });
    return (await readsBy(instance, pool, reason)) > before;
  });
}
