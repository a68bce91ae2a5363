import type { ServiceDefinition } from '@fibre/server';
import { AppModule } from './app.module.js';
import { coverageApi } from './coverage-api.js';
import { type CoverageEnv, readCoverageEnv } from './coverage.env.js';
import { schema } from './schema.js';

/** The service as its entry points and its tests start it. */
export const coverageService: ServiceDefinition<CoverageEnv> = {
  name: 'coverage-service',
  readEnv: readCoverageEnv,
  module: (env, databaseUrl) => AppModule.forRoot(env, databaseUrl),
  api: coverageApi,
  database: 'coverage',
  schema,
};
