import { bootstrap } from '@fibre/server';
import { coverageService } from './coverage-service.js';

await bootstrap(coverageService);
