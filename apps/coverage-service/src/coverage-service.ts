import type { ServiceDefinition } from '@fibre/server';
import { AppModule } from './app.module.js';
import { type CoverageEnv, readCoverageEnv } from './coverage.env.js';
import { schema } from './schema.js';
import { samples } from './samples.sql.js';
import { tenants } from './tenants.js';

/** Definition of the service, for its entry points and tests. */
export const coverageService: ServiceDefinition<CoverageEnv> = {
  name: 'coverage-service',
  readEnv: readCoverageEnv,
  module: (env, databaseUrl) => AppModule.forRoot(env, databaseUrl),
  api: {
    title: 'Coverage API',
    description:
      'Coverage access nodes (CANs) of open access fibre networks: operators keep them in a pre-production and a production ' +
      'collection and merge the first into the second; internet service providers search around a coordinate.\n\n' +
      'Every path works with and without a trailing slash. In a POST or PUT, `null` for an optional member means absent. Error responses are ' +
      '`application/problem+json` (RFC 9457) with a stable `code`.',
    version: '2.0.0',
    path: '/v2/cov',
    tags: ['Search', 'Relations', 'Access nodes', 'Map tiles', 'Overview', 'Webhooks', 'Changes'],
    privatePath: '/v2/cov/search/addresses/',
    scopes: {
      'coverage:read': 'Read and list access nodes and relations of your tenant',
      'coverage:write': 'Create, update, merge and delete access nodes and relations of your tenant',
      'coverage:search': 'Search the production access nodes of every operator',
    },
  },
  apiNote: ({ ADDRESS_SCHEME: scheme, ADDRESS_ID_PATTERN: pattern }) =>
    scheme === undefined && !pattern
      ? undefined
      : `Here, \`address_id\` is an id of ${scheme ?? 'a register of addresses'}${pattern ? ` and matches \`${pattern.source}\`` : ''}.`,
  database: 'coverage',
  schema,
  tenants,
  samples,
};
