import { setImmediate as turn } from 'node:timers/promises';
import { ContentionError } from '@fibre/database';
import type { CoverageSearchRepository } from './coverage-search.repository.js';
import { CoverageSearchService, qualityOf } from './coverage-search.service.js';
import { DEFAULT_QUALITY_TABLE } from '../settings/quality-table.js';

test('a search ends even if the nodes that it finds keep being deleted', async () => {
  const node = { node_id: 'a', latitude: '48.2', longitude: '16.4', straight: 2_000, json: '{}' };
  const lookup = { nearby: () => turn([]), closestInDegrees: () => turn([node]) };
  const repository = { lookup: () => lookup } as unknown as CoverageSearchRepository;
  const service = new CoverageSearchService(repository, { QUALITY_TABLE: DEFAULT_QUALITY_TABLE });
  const query = { center: { latitude: '48.2', longitude: '16.373' }, search_radius: 100_000, limit: 1 };
  await expect(service.search(query as never)).rejects.toThrow(ContentionError);
});

test.each([
  [0, 'A'],
  [10, 'A'],
  [10.000001, 'B'],
  [50, 'B'],
  [100, 'C'],
  [100.1, 'D'],
  [500, 'D'],
  [1_000, 'E'],
  [1_000.01, 'F'],
  [100_000, 'F'],
])('%d m is grade %s', (metres, grade) => {
  expect(qualityOf(metres, DEFAULT_QUALITY_TABLE)).toBe(grade);
});
