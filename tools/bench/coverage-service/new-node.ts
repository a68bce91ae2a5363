import { type BenchRequest, NEW_ID } from '../requests.js';

const node = {
  relation_id: '00000000-0000-4000-8000-ffffffffffff',
  token: 'operation' as const,
  center: '48.208555, 16.372966',
  technology: 'ftth',
  country: 'AT',
  address_id: 'AT-1000000',
};

export type NewNode = typeof node & { customer_reference: string };

/** A node as an operator's program creates it. */
export const newNode = (reference: string = NEW_ID): BenchRequest => ({
  path: '/v2/cov/nodes',
  method: 'POST',
  body: JSON.stringify({ ...node, customer_reference: reference } satisfies NewNode),
});
