/** Used only by examples, so that deleting or merging this relation affects nothing else. */
export const EXAMPLE_RELATION = '0192d3a5-7c10-7e8b-a2c6-3f9d5b7a1e03';

/** The examples have no customer reference, so that each can be created more than once. */
export const CREATE_EXAMPLES = {
  operation: {
    summary: 'a node in operation, for production',
    value: { relation_id: EXAMPLE_RELATION, token: 'operation', center: '48.208555, 16.372966', technology: 'ftth', country: 'AT' },
  },
  planned: {
    summary: 'a planned node, for target=prenodes',
    value: {
      relation_id: EXAMPLE_RELATION,
      token: 'planned',
      center: '48.210033, 16.363449',
      technology: 'ftth',
      address_id: '5920471',
      lot_id: '01004-288/2',
    },
  },
};

/** A node that nobody has. */
const EXAMPLE_NODE = '0192d3a5-7c10-7e8b-a2c6-3f9d5b7a1e04';
export const UPDATE_NODES_EXAMPLES = {
  token: { summary: 'the next stage of several nodes', value: { node_ids: [EXAMPLE_NODE], set: { token: 'operation' } } },
};

export const UPDATE_EXAMPLES = {
  token: { summary: 'the next stage', value: { token: 'operation' } },
  clear: { summary: 'clear the address', value: { address_id: null } },
};
