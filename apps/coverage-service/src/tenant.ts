import { runTenantCommand } from '@fibre/server';
import { coverageService } from './coverage-service.js';

await runTenantCommand(coverageService, new URL('../package.json', import.meta.url));
