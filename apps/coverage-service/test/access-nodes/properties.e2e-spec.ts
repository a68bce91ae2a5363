import { randomUUID } from 'node:crypto';
import { startTestService, type TestService } from '@fibre/testing';
import { volume } from '@fibre/testing/volume';
import fc from 'fast-check';
import { coverageService } from '../../src/coverage-service.js';
import { type Client, create, idsOf, invalid, list, NODES, operator, problemOf, SEARCH } from './access-nodes.js';
import { optionalValues, withFittingUnits } from './optional-values.js';
import { walk } from '../pages/pages.js';

let service: TestService;
let ano: Client;

beforeAll(async () => {
  service = await startTestService(coverageService);
  ano = await operator(service);
});
afterAll(() => service.close());

/** A coordinate within a limit, with 0 to 10 decimals, in canonical form. */
const degrees = (bound: number) =>
  fc
    .tuple(fc.integer({ min: -bound + 1, max: bound - 1 }), fc.stringMatching(/^[0-9]{0,9}[1-9]$/), fc.boolean())
    .map(([whole, decimals, bare]) => (bare ? `${whole}` : `${whole}.${decimals}`));

test('every response returns a center with the digits that were sent', async () => {
  await fc.assert(
    fc.asyncProperty(degrees(90), degrees(180), fc.boolean(), async (latitude, longitude, space) => {
      const center = `${latitude}, ${longitude}`;
      const node = await create(ano, { center: space ? center : `${latitude},${longitude}` });
      expect(node['center']).toBe(center);
      expect((await ano.get(`${NODES}${node.node_id}`)).body.center).toBe(center);
      expect(await list(ano, { relation_id: node.relation_id })).toEqual([node]);
      const found = await ano.get(SEARCH).query({ center, search_radius: 0, limit: 10 });
      expect((found.body as { center: string; distance: number }[]).map((node) => [node.center, node.distance])).toContainEqual([
        center,
        0,
      ]);
    }),
    { numRuns: volume(25, 100) },
  );
});

/** Changes between two pages: a new node, or the deletion of the original node with this index. */
const events = fc.array(fc.oneof(fc.constant('create' as const), fc.nat({ max: 29 })), { maxLength: 4 });

test('paging returns each node that existed at the start exactly once and in order, unless it is deleted in the meantime', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 15 }),
      fc.integer({ min: 1, max: 6 }),
      fc.array(events, { maxLength: 15 }),
      async (count, size, script) => {
        const relation_id = randomUUID();
        const before: string[] = [];
        for (let n = 0; n < count; n++) before.push((await create(ano, { relation_id })).node_id);
        const deleted = new Set<string>();
        const later = new Set<string>();
        const steps = script.values();

        const walked = idsOf(
          await walk(ano, `${NODES}?relation_id=${relation_id}&_page_size=${size}`, async () => {
            for (const event of steps.next().value ?? []) {
              if (event === 'create') {
                later.add((await create(ano, { relation_id })).node_id);
              } else if (before[event] !== undefined) {
                deleted.add(before[event]);
                await ano.delete(`${NODES}${before[event]}`);
              }
            }
          }),
        );
        expect(new Set(walked).size).toBe(walked.length);
        expect(walked).toEqual([...walked].sort());
        expect(walked.filter((id) => !later.has(id) && !deleted.has(id))).toEqual(before.filter((id) => !deleted.has(id)));
        expect(walked.filter((id) => !later.has(id) && !before.includes(id))).toEqual([]);
      },
    ),
    { numRuns: volume(10, 30) },
  );
});

test('a patch changes only the fields that it contains', async () => {
  const fields = fc.record(
    {
      token: fc.constantFrom('planned', 'construction', 'operation'),
      status: fc.option(fc.constantFrom('active', 'started', 'suspended', 'completed', 'terminated'), { nil: null }),
      ...optionalValues,
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(fields, fields, async (first, second) => {
      const node = await create(ano, { token: 'planned', ...withFittingUnits({ units: null, units_connected: null, ...first }) });
      const expected: Record<string, unknown> = { ...node, ...second };
      if (second.status === null) expected['status'] = 'active';
      const answer = await ano.patch(`${NODES}${node.node_id}`).send(second);
      const [units, connected] = [expected['units'], expected['units_connected']] as (number | null | undefined)[];
      if (connected != null && (units == null || connected > units)) {
        expect(problemOf(answer)).toEqual(invalid('#/units_connected', '#/units'));
        expect(await list(ano, { relation_id: node.relation_id })).toEqual([node]);
        return;
      }
      const set = Object.fromEntries(Object.entries(expected).filter(([, value]) => value !== null));
      const { body } = answer;
      expect(body).toEqual({ ...set, modified_at: body.modified_at });
      expect(await list(ano, { relation_id: node.relation_id })).toEqual([body]);
    }),
    { numRuns: volume(20, 60) },
  );
});
