import assert from 'node:assert/strict';
import places from '@fibre/testing/places-in-austria.json' with { type: 'json' };
import type { Stack } from './stack.js';

const TOKENS = ['planned', 'construction', 'operation'];
/** The Austrian places from the tour, as nodes in all stages. */
export const PLACES = places.map(({ lat, lng }, index) => ({ center: `${lat}, ${lng}`, token: TOKENS[index % 3]! }));

/** @returns the relation_id of a new relation with these nodes */
export async function createNodes(stack: Stack, name: string, target: string, nodes: readonly object[]): Promise<string> {
  const { relation_id } = await stack.api<{ relation_id: string }>('POST', '/v2/cov/relations', { name, pip: 'Netz' });
  await addNodes(stack, relation_id, target, nodes);
  return relation_id;
}

/** Adds nodes in a single request, which is quick even on a busy machine. */
export async function addNodes(stack: Stack, relation_id: string, target: string, nodes: readonly object[]): Promise<void> {
  if (nodes.length === 0) return;
  const response = await fetch(new URL(`/v2/cov/nodes/import?target=${target}&relation_id=${relation_id}`, stack.portalUrl), {
    method: 'POST',
    headers: { authorization: `Bearer ${await stack.token()}`, 'content-type': 'application/x-ndjson' },
    body: nodes.map((node) => `${JSON.stringify({ technology: 'ftth', ...node })}\n`).join(''),
  });
  assert.equal(response.status, 200, await response.text());
}
