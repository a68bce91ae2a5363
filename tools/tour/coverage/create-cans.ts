import { check } from '../check.js';
import { inParallel } from '../in-parallel.js';
import { progress, say, step } from '../show.js';
import { type Can, NODES } from './can.js';
import { type Place } from './places.js';
import { type Visit } from './visit.js';

const REQUESTS_AT_A_TIME = 8;
const TOKENS = ['planned', 'construction', 'operation'];

export async function createCans(visit: Visit): Promise<void> {
  const { places, relationId, signal } = visit;
  step(`Create ${places.length} pre-production CANs`);
  say(`POST ${NODES}?target=prenodes, ${REQUESTS_AT_A_TIME} at a time, relation ${relationId}`);

  const started = performance.now();
  const bar = progress(places.length, 'created');
  try {
    await inParallel(places.entries(), REQUESTS_AT_A_TIME, async ([i, place]) => {
      signal.throwIfAborted();
      await createCan(visit, place, i);
      bar.advance();
    });
  } finally {
    bar.end();
  }
  const seconds = (performance.now() - started) / 1000;
  check('distinct CANs', visit.created.size, places.length);
  say(`${places.length} created in ${seconds.toFixed(1)} s, ${Math.round(places.length / seconds)} a second`);
}

async function createCan({ ano, relationId, created }: Visit, place: Place, index: number): Promise<void> {
  const body = {
    relation_id: relationId,
    token: TOKENS[index % TOKENS.length],
    center: place.center,
    technology: 'ftth',
    country: 'AT',
    customer_reference: reference(index),
  };
  const { status, headers, body: can } = await ano.call<Can>('POST', NODES, { query: { target: 'prenodes' }, body });
  check(`status of creating ${place.name}`, status, 201);
  const { node_id } = can;
  check(
    `the CAN of ${place.name}`,
    { ...can },
    { ...can, ...body, token: body.token ?? '', collection: 'prenodes', status: 'active', tenant: 'ano.demo' },
  );
  check(`Location of ${place.name}`, headers.get('location')?.includes(node_id), true);
  created.set(node_id, place);
}

/** Unique within the relation, as the API wants it. */
export function reference(index: number): string {
  return `geonames-at-${String(index + 1).padStart(4, '0')}`;
}
