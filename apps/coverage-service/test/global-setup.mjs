import { migrateDatabase } from '@fibre/server';
import { globalSetup } from '@fibre/testing';
import { coverageService } from '../src/coverage-service.ts';

export default globalSetup((url) => migrateDatabase(coverageService, url));
