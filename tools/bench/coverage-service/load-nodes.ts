import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { type Random, seeded } from '../random.js';
import type { Dataset } from '../dataset.js';
import { pointIn, RECORDING_TENANT, type Town, towns } from './towns.js';

const SEED = 7;
const BATCH = 10_000;
const START_OF_TIME = Date.UTC(2026, 0, 1);

const COLUMNS = {
  node_id: 'uuid',
  tenant: 'text',
  relation_id: 'uuid',
  collection: 'text',
  token: 'text',
  latitude: 'numeric',
  longitude: 'numeric',
  technology: 'text',
  status: 'text',
  customer_reference: 'text',
  country: 'text',
  address_id: 'text',
  lot_id: 'text',
  created_at: 'timestamptz',
  modified_at: 'timestamptz',
};
const INSERT = `insert into access_node (${Object.keys(COLUMNS).join(', ')})
  select * from unnest(${Object.values(COLUMNS)
    .map((type, index) => `$${index + 1}::${type}[]`)
    .join(', ')})`;

type Row = Record<keyof typeof COLUMNS, string | null>;

export const nodesDataset = (nodes: number): Dataset => ({
  name: `nodes_${nodes}`,
  version: 2,
  records: nodes,
  tables: ['access_node'],
  fill: (client) => insertAll(client, nodes),
  removeRecorded: async (client) => (await client.query('delete from access_node where tenant = $1', [RECORDING_TENANT])).rowCount ?? 0,
});

/** The same nodes, all of one tenant. */
export const oneTenantDataset = (nodes: number, tenant: string): Dataset => ({
  ...nodesDataset(nodes),
  name: `one_tenant_${nodes}`,
  fill: (client) => insertAll(client, nodes, tenant),
});

async function insertAll(client: pg.Client, nodes: number, tenant?: string): Promise<void> {
  const random = seeded(SEED);
  let batch: Row[] = [];
  let count = 0;
  const flush = async (): Promise<void> => {
    const names = Object.keys(COLUMNS) as (keyof Row)[];
    await client.query(
      INSERT,
      names.map((name) => batch.map((row) => row[name])),
    );
    batch = [];
  };
  for (const town of towns(nodes)) {
    for (let i = 0; i < town.size; i++) {
      batch.push(nodeIn(tenant === undefined ? town : { ...town, tenant }, count++, random));
      if (batch.length === BATCH) await flush();
    }
  }
  if (batch.length > 0) await flush();
}

function nodeIn(town: Town, index: number, random: Random): Row {
  const [latitude, longitude] = pointIn(town, random);
  const bytes = Uint8Array.from({ length: 16 }, () => Math.floor(random.uniform() * 256));
  const time = START_OF_TIME + index;
  const createdAt = new Date(time).toISOString();
  return {
    node_id: uuidv7({ msecs: time, seq: 0, random: bytes }),
    tenant: town.tenant,
    relation_id: town.relationId,
    collection: random.uniform() < 0.95 ? 'nodes' : 'prenodes',
    token: random.pick(['operation', 'operation', 'operation', 'construction', 'planned']),
    latitude,
    longitude,
    technology: random.pick(['ftth', 'ftth', 'fttb', null]),
    status: random.pick(['active', 'active', 'active', 'suspended']),
    customer_reference: `CAN-${index}`,
    country: 'AT',
    address_id: `AT-${1_000_000 + index}`,
    lot_id: random.uniform() < 0.5 ? `LOT ${index}` : null,
    created_at: createdAt,
    modified_at: createdAt,
  };
}
