import { startTestService, type TestService } from '@fibre/testing';
import { OPTIONAL_FIELDS } from '../../src/access-nodes/access-node.js';
import { coverageService } from '../../src/coverage-service.js';
import { type Client, create, type Node, NODES, operator } from '../access-nodes/access-nodes.js';
import { sql } from '../database/sql.js';

const PAGE = 2_000;
/**
 * So that 2,000 nodes always fit on a page, as docs/api-design.md promises: well below its 8 MiB. A new field that is too long for this needs a
 * lower maximum, or a smaller {@link PAGE}, here and there.
 */
const LARGEST_PAGE_BYTES = 7_000_000;
/** A character beyond ASCII takes the most bytes in JSON: four. PostgreSQL does not escape it, and control characters are refused. */
const LARGEST = '😀';
const TENANT = 'a'.repeat(63);

let service: TestService;
let ano: Client;

beforeAll(async () => {
  service = await startTestService(coverageService);
  ano = await operator(service, TENANT);
});
afterAll(() => service.close());

interface Rule {
  readonly type: string;
  readonly format?: string;
  readonly maxLength?: number;
  readonly maximum: number;
  readonly multipleOf: number;
}
function longest({ type, format, maxLength, maximum, multipleOf }: Rule): string | number {
  if (format === 'date') return '9999-12-31';
  if (type === 'string') return maxLength ? LARGEST.repeat(maxLength) : 'AT';
  return type === 'integer' ? maximum : maximum - multipleOf;
}

/** The longest value of each optional field. */
async function largestFields(): Promise<Record<string, string | number>> {
  const { components } = (await service.anonymous().get('/v2/cov/openapi.json')).body;
  const { properties } = components.schemas.CreateAccessNodeRequest;
  return Object.fromEntries(OPTIONAL_FIELDS.map((name) => [name, longest(properties[name])]));
}

test('the largest page of the largest nodes stays within its limit', async () => {
  const node = await create(ano, {
    token: 'construction',
    center: '-89.1234567891, -179.1234567891',
    status: 'terminated',
    ...(await largestFields()),
  });
  const columns = ['tenant', 'collection', 'token', 'latitude', 'longitude', 'status', ...OPTIONAL_FIELDS].join(', ');
  // Each node is in its own relation, so that all of them can have the same reference.
  await sql(
    service.databaseUrl,
    `insert into access_node (node_id, relation_id, ${columns})
     select gen_random_uuid(), gen_random_uuid(), ${columns} from access_node, generate_series(2, $1) where node_id = $2`,
    [PAGE, node.node_id],
  );
  const answer = await ano.get(NODES).query({ _page_size: PAGE });
  expect((answer.body as Node[]).length).toBe(PAGE);
  expect(Number(answer.headers['content-length'])).toBeLessThan(LARGEST_PAGE_BYTES);
  expect(Number(answer.headers['content-length'])).toBeGreaterThan(PAGE * 4 * 255);
});
