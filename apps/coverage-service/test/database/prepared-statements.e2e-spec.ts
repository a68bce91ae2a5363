import { Database } from '@fibre/database';
import { startTestService } from '@fibre/testing';
import { coverageService } from '../../src/coverage-service.js';
import { create, NODES, operator } from '../access-nodes/access-nodes.js';
import { linksOf } from '../pages/pages.js';

const FILTERS = {
  relation_id: '01890a5d-ac96-774b-bcce-b302099a8057',
  token: 'planned',
  technology: 'ftth',
  status: 'active',
  customer_reference: 'none',
  modified_since: '2000-01-01T00:00:00Z',
};

test('a connection keeps at most a few dozen prepared statements, even after listing with every combination of filters', async () => {
  const service = await startTestService(coverageService, { DATABASE_POOL_SIZE: '1' });
  const ano = await operator(service);
  const { modified_since: _, customer_reference: __, ...common } = FILTERS;
  for (let count = 0; count < 3; count++) await create(ano, { ...common, customer_reference: `${count}` });

  const names = Object.keys(FILTERS) as (keyof typeof FILTERS)[];
  for (let set = 0; set < 2 ** names.length; set++) {
    const query = Object.fromEntries(names.filter((_name, index) => set & (1 << index)).map((name) => [name, FILTERS[name]]));
    const page = await ano
      .get(NODES)
      .query({ ...query, _page_size: 1 })
      .expect(200);
    const { next } = linksOf(page);
    if (next) await ano.get(`${next.pathname}${next.search}`).expect(200);
  }
  const [row] = await service.app
    .get(Database)
    .run<{ count: number }>({ name: '', text: 'select count(*)::int as count from pg_prepared_statements', values: [] });
  expect(row!.count).toBeGreaterThan(5);
  expect(row!.count).toBeLessThan(30);
  await service.close();
});
