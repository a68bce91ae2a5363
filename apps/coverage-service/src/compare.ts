import { runCompareCommand } from '@fibre/server';
import { coverageService } from './coverage-service.js';

await runCompareCommand(coverageService);
