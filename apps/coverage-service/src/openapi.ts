import { writeOpenApi } from '@fibre/server';
import { coverageService } from './coverage-service.js';

await writeOpenApi(coverageService, new URL('../openapi.json', import.meta.url));
