import { bootstrap } from '@fibre/server';
import { AppModule } from './app.module.js';
import { coverageApi } from './coverage-api.js';
import { readCoverageEnv } from './coverage.env.js';

await bootstrap({
  name: 'coverage-service',
  readEnv: readCoverageEnv,
  module: (env, databaseUrl) => AppModule.forRoot(env, databaseUrl),
  api: coverageApi,
  database: 'coverage',
});
