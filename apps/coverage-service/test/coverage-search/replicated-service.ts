import { ReplicatedPostgres, startTcpRelay, startTestService, type TcpRelay, type TestService, until } from '@fibre/testing';
import { coverageService } from '../../src/coverage-service.js';
import { type Client, create, idsOf, type Node, operator, SEARCH } from '../access-nodes/access-nodes.js';

/** Number of seconds that the replica may lag behind. */
export const MAX_LAG = 2;

/** The service, its primary and its standby, each behind a relay. */
export class ReplicatedService {
  private constructor(
    readonly servers: ReplicatedPostgres,
    readonly toPrimary: TcpRelay,
    readonly toStandby: TcpRelay,
    private readonly service: TestService,
    readonly client: Client,
  ) {}

  static async start(): Promise<ReplicatedService> {
    const servers = await ReplicatedPostgres.start('coverage');
    const [toPrimary, toStandby] = [await startTcpRelay(() => servers.primary.port), await startTcpRelay(() => servers.standby.port)];
    const through = (url: string, { port }: TcpRelay): string => Object.assign(new URL(url), { port: String(port) }).href;
    const service = await startTestService(
      coverageService,
      {
        DATABASE_REPLICA_URL: through(servers.standbyUrl, toStandby),
        REPLICA_MAX_LAG_SECONDS: String(MAX_LAG),
        // As in production; it also limits the wait for a silent server.
        REQUEST_DEADLINE_SECONDS: '10',
      },
      { url: through(servers.primaryUrl, toPrimary), drop: () => Promise.resolve() },
    );
    return new ReplicatedService(servers, toPrimary, toStandby, service, await operator(service));
  }

  async close(): Promise<void> {
    await this.service.close();
    this.toPrimary.cut();
    this.toStandby.cut();
    await this.servers.close();
  }

  /** A metric, by its name and labels. */
  async metric(series: string): Promise<number> {
    const text = await (await fetch(`${this.service.url}/metrics`)).text();
    const line = text.split('\n').find((candidate) => candidate.startsWith(`db_replica_${series} `));
    if (!line) throw new Error(`there is no metric db_replica_${series}`);
    return Number(line.slice(line.lastIndexOf(' ')));
  }

  searchesBy(pool: 'primary' | 'replica'): Promise<number> {
    return this.metric(`reads_total{pool="${pool}"}`);
  }

  /** Ids of the nodes at exactly this point. */
  async find({ center }: Node | { center: string }): Promise<string[]> {
    const found = await this.client.get(SEARCH).query({ center, search_radius: 0, limit: 10 });
    if (found.status !== 200) throw new Error(`the search failed: ${found.status} ${found.text}`);
    return idsOf(found.body as Node[]);
  }

  /** Creates a node at a point without other nodes. */
  async createAlone(): Promise<Node> {
    const place = this.places++;
    return create(this.client, { center: `${Math.floor(place / 100) / 100}, ${(place % 100) / 100}` });
  }

  /** Waits until searches use this server. */
  async untilSearchesAreBy(pool: 'primary' | 'replica'): Promise<void> {
    await until(`searches by the ${pool}`, async () => {
      const before = await this.searchesBy(pool);
      await this.find({ center: '80, 80' });
      return (await this.searchesBy(pool)) > before;
    });
  }

  /** Pauses or resumes replay on the standby. */
  async replay(verb: 'pause' | 'resume'): Promise<void> {
    const { standby } = this.servers;
    await standby.query('postgres', `select pg_wal_replay_${verb}()`);
    await until(`replay to ${verb}`, async () => {
      const [row] = await standby.query<{ state: string }>('postgres', 'select pg_get_wal_replay_pause_state() as state');
      return row!.state === (verb === 'pause' ? 'paused' : 'not paused');
    });
  }

  private places = 0;
}
