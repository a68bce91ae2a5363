import { v7 as uuidv7 } from 'uuid';
import { LISTED_TENANT, pointIn, towns } from '../coverage-service/towns.js';
import { seeded } from '../random.js';

const [SEED, BATCH] = [11, 1_000];
const TOKENS = ['planned', 'construction', 'operation'];

interface Row {
  readonly relation: string;
  readonly token: string;
  readonly place: readonly [latitude: string, longitude: string];
  readonly address: string;
  readonly lot: string;
  readonly reference: string;
}

export const csvHeader = 'relation_id,token,latitude,longitude,status,technology,country,address_id,lot_id,customer_reference\n';
export const COPY_COLUMNS =
  'node_id, tenant, collection, relation_id, token, latitude, longitude, status, technology, country, address_id, lot_id, customer_reference';

/** Nodes of one operator, in the towns of the other benchmarks. */
function* rows(nodes: number, haveReferences: boolean): Generator<Row> {
  const random = seeded(SEED);
  let count = 0;
  for (const town of towns(nodes)) {
    for (let i = 0; i < town.size; i++) {
      count++;
      yield {
        relation: town.relationId,
        token: TOKENS[count % TOKENS.length]!,
        place: pointIn(town, random),
        address: String(5_000_000 + count),
        lot: `${10_000 + (count % 1_000)}-${count % 400}/2`,
        reference: haveReferences ? `CAN-${count}` : '',
      };
    }
  }
}

function* inBatches(lines: Iterable<string>): Generator<string> {
  let [batch, count] = ['', 0];
  for (const line of lines) {
    batch += line;
    if (++count % BATCH > 0) continue;
    yield batch;
    batch = '';
  }
  if (batch !== '') yield batch;
}

/** The file of an import. */
export function* csvText(nodes: number, haveReferences: boolean): Generator<string> {
  yield csvHeader;
  yield* inBatches(
    (function* () {
      for (const { relation, token, place, address, lot, reference } of rows(nodes, haveReferences))
        yield `${relation},${token},${place.join(',')},active,ftth,AT,${address},${lot},${reference}\n`;
    })(),
  );
}

/** The same nodes in the text format of COPY. */
export const copyText = (nodes: number, haveReferences: boolean): Generator<string> =>
  inBatches(
    (function* () {
      for (const { relation, token, place, address, lot, reference } of rows(nodes, haveReferences)) {
        const own = [relation, token, ...place, 'active', 'ftth', 'AT', address, lot, reference || '\\N'].join('\t');
        yield `${uuidv7()}\t${LISTED_TENANT}\tnodes\t${own}\n`;
      }
    })(),
  );
