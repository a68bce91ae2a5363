import type { ApiDescription } from '@fibre/server';

/** What the OpenAPI document says of this API as a whole. */
export const coverageApi: ApiDescription = {
  title: 'Coverage API',
  description:
    'Coverage access nodes (CANs) of open access fibre networks: operators manage them in a pre-production and a production ' +
    'collection and merge the one into the other; internet service providers search around a coordinate.\n\n' +
    'Every path works with and without a trailing slash. Refusals are `application/problem+json` (RFC 9457) with a stable `code`.',
  version: '2.0.0',
  path: '/v2/cov',
  scopes: {
    'coverage:read': 'Read and list access nodes and relations of your tenant',
    'coverage:write': 'Create, update, merge and delete access nodes and relations of your tenant',
    'coverage:search': 'Search the production access nodes of every operator',
  },
};
