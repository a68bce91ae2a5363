import { withClient } from '@fibre/embedded-postgres';
import { join } from 'node:path';
import { WORKSPACE } from '../../workspace.js';
import { nodesDataset } from '../coverage-service/load-nodes.js';
import { LISTED_TENANT, RECORDING_TENANT } from '../coverage-service/towns.js';
import { prepareDatabase, startDatabaseServer, versionOf } from '../databases.js';
import { writeSection } from '../document-section.js';
import { startIssuer } from '../issuer.js';
import { machine } from '../machine.js';
import { readOptions } from '../options.js';
import { table } from '../report.js';
import { searchBeside } from '../search-beside.js';
import { build, startService } from '../service.js';
import { row, timed } from '../times.js';

const SERVICE = 'coverage-service';
const MERGED = 100_000;
const RELATION = '00000000-0000-4000-8000-eeeeeeeeeeee';
const SEARCH_SECONDS = 20;

const FIELDS = 'token, latitude, longitude, status, technology, country, address_id, lot_id, customer_reference';
const FILL = `
  insert into access_node (node_id, tenant, relation_id, collection, ${FIELDS})
  select gen_random_uuid(), '${RECORDING_TENANT}', '${RELATION}', $1, ${FIELDS}
  from access_node where tenant = '${LISTED_TENANT}' and collection = 'nodes' order by node_id limit ${MERGED}`;
/** The least that makes pre-production nodes productive. */
const BARE = `
  update access_node set collection = 'nodes', version = version + 1, modified_at = now()
  where tenant = '${RECORDING_TENANT}' and relation_id = '${RELATION}' and collection = 'prenodes'`;
/** The least that brings them onto the nodes that they stand for. */
const BARE_ONTO = `
  with replaced as (
    delete from access_node where tenant = '${RECORDING_TENANT}' and relation_id = '${RELATION}' and collection = 'prenodes' returning *
  )
  update access_node n set (${FIELDS}) = (${FIELDS.replace(/\w+/g, 'r.$&')}), version = n.version + 1, modified_at = now()
  from replaced r
  where n.tenant = r.tenant and n.relation_id = r.relation_id and n.collection = 'nodes' and n.customer_reference = r.customer_reference`;

/** `npm run bench -- merge`: a bulk merge beside the bare statement, and what a search notices of it. */
export async function benchMerge(): Promise<void> {
  const { nodes, rounds, sharedBuffers } = readOptions([]);
  await build(SERVICE);
  const issuer = await startIssuer();
  const server = await startDatabaseServer(SERVICE, sharedBuffers);
  const on = (databaseUrl: string) => ({ service: SERVICE, databaseUrl, issuer: issuer.url });
  const { url: databaseUrl } = await prepareDatabase(server.url, nodesDataset(nodes), on);
  const { url, program } = await startService(on(databaseUrl), '/health/ready');
  const sql = (text: string, values: unknown[] = []): Promise<unknown> => withClient(databaseUrl, (client) => client.query(text, values));
  try {
    await program.ready();
    const token = await issuer.token(RECORDING_TENANT, 'coverage:write');
    const prepare = async (...collections: string[]): Promise<void> => {
      await sql(`delete from access_node where tenant = '${RECORDING_TENANT}'`);
      for (const collection of collections) await sql(FILL, [collection]);
      await sql('vacuum (analyze) access_node');
      await sql('checkpoint');
    };
    const merge = async (): Promise<void> => {
      const request = { method: 'PUT', headers: { authorization: `Bearer ${token}` } };
      const response = await fetch(`${url}/v2/cov/nodes?relation_id=${RELATION}`, request);
      if (!response.ok) throw new Error(`a merge was answered ${response.status}: ${await response.text()}`);
    };
    const compare = async (bare: string, ...collections: string[]): Promise<[merged: number[], updated: number[]]> => {
      const [merged, updated]: [number[], number[]] = [[], []];
      for (let round = 0; round < rounds; round++) {
        await prepare(...collections);
        merged.push(await timed(merge));
        await prepare(...collections);
        updated.push(await timed(() => sql(bare)));
      }
      return [merged, updated];
    };
    const count = MERGED.toLocaleString('en-GB');
    const rows = [
      row(`Merge of ${count} new nodes, beside the bare UPDATE`, ...(await compare(BARE, 'prenodes')), 0.9),
      row(`Merge of ${count} onto nodes of the same references`, ...(await compare(BARE_ONTO, 'nodes', 'prenodes'))),
    ];
    const searching = await issuer.token('isp.one', 'coverage:search');
    await prepare('prenodes');
    const back = BARE.replace("= 'nodes'", "= 'prenodes'").replace(/'prenodes'$/, "'nodes'");
    const again = async (): Promise<void> => {
      await merge();
      await sql(back);
    };
    rows.push(await searchBeside('merges', again, { url, token: searching, nodes, rounds, seconds: SEARCH_SECONDS }));
    await prepare();
    const text = [
      `Medians of ${rounds} rounds, in turns.`,
      table(['', 'Service', 'Beside it', 'Ratio', 'Goal', ''], rows),
      table(['Machine', ''], machine(await versionOf(server.url), nodes)),
    ].join('\n\n');
    writeSection(join(WORKSPACE, 'docs/benchmarks.md'), 'merge', text);
  } finally {
    await program.stop();
    issuer.close();
    await server.stop();
  }
}
