import { migrateService } from '@fibre/server';
import { coverageService } from './coverage-service.js';

await migrateService(coverageService);
