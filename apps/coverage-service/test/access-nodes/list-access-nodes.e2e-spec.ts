import { randomUUID } from 'node:crypto';
import { startTestService, type TestService } from '@fibre/testing';
import { coverageService } from '../../src/coverage-service.js';
import { type Client, create, idsOf, invalid, list, type Node, NODES, operator, problemOf } from './access-nodes.js';

const relation_id = randomUUID();
let service: TestService;
let ano: Client;
/** Another tenant, whose nodes the other tests do not list. */
let scratch: Client;
let nodes: Node[];

beforeAll(async () => {
  service = await startTestService(coverageService);
  ano = await operator(service);
  scratch = await operator(service, 'ano.scratch');
  nodes = [
    await create(ano, { relation_id, token: 'planned', technology: 'ftth', customer_reference: 'ref é 1' }),
    await create(ano, { relation_id, token: 'operation', technology: 'FTTH', status: 'suspended', available_from: '2027-03-01' }),
    await create(ano, { relation_id, token: 'planned', technology: 'fttÄ', available_from: '2027-03-02' }),
    await create(ano, { token: 'operation', customer_reference: 'Ref É 1', address_id: 'A-1' }),
    await create(ano, { relation_id, token: 'construction', technology: 'fwa', customer_reference: 'ref é 1' }, 'prenodes'),
  ];
});
afterAll(() => service.close());

const found = async (query: Record<string, unknown>): Promise<number[]> => {
  const ids = idsOf(nodes);
  return idsOf(await list(ano, query)).map((id) => ids.indexOf(id));
};

test('a listing shows one collection, by default production, oldest first', async () => {
  expect(await found({})).toEqual([0, 1, 2, 3]);
  expect(await found({ target: 'nodes' })).toEqual([0, 1, 2, 3]);
  expect(await found({ target: 'prenodes' })).toEqual([4]);
});

test.each<[Record<string, string>, number[]]>([
  [{ relation_id }, [0, 1, 2]],
  [{ relation_id: relation_id.toUpperCase() }, [0, 1, 2]],
  [{ token: 'planned' }, [0, 2]],
  [{ token: 'construction' }, []],
  [{ token: 'construction', target: 'prenodes' }, [4]],
  [{ technology: 'ftth' }, [0, 1]],
  [{ technology: 'FtTh' }, [0, 1]],
  [{ technology: 'FTTÄ' }, [2]],
  [{ technology: 'fttä' }, []],
  [{ status: 'active' }, [0, 2, 3]],
  [{ status: 'suspended' }, [1]],
  [{ customer_reference: 'ref é 1' }, [0]],
  [{ customer_reference: 'Ref É 1' }, [3]],
  [{ customer_reference: 'REF É 1' }, []],
  [{ address_id: 'A-1' }, [3]],
  [{ address_id: 'a-1' }, []],
  [{ available_until: '2027-03-01' }, [0, 1, 3]],
  [{ available_until: '2027-02-28' }, [0, 3]],
  [{ available_until: '9999-12-31' }, [0, 1, 2, 3]],
  [{ available_until: '2027-03-01', token: 'planned' }, [0]],
  [{ relation_id, token: 'planned', technology: 'FTTH', status: 'active', customer_reference: 'ref é 1', target: 'nodes' }, [0]],
  [{ relation_id, token: 'planned', technology: 'fwa' }, []],
])('the filters %j find %j', async (query, expected) => {
  expect(await found(query)).toEqual(expected);
});

test('modified_since is inclusive, accepts any offset, and finds changes', async () => {
  const old = await create(scratch, { relation_id: randomUUID() });
  const filter = { relation_id: old.relation_id };
  const later = (text: string, milliseconds: number): string => new Date(Date.parse(text) + milliseconds).toISOString();
  const count = async (modified_since: string): Promise<number> => (await list(scratch, { ...filter, modified_since })).length;
  expect(await count(old.modified_at)).toBe(1);
  expect(await count(later(old.modified_at, 1))).toBe(0);
  expect(await count(later(old.modified_at, 0).replace('Z', '001Z'))).toBe(0);
  expect(await count(later(old.modified_at, 18 * 3_600_000).replace('Z', '+18:00'))).toBe(1);
  expect(await count(later(old.modified_at, -3_600_000).replace('Z', '-01:00'))).toBe(1);
  expect(await count('0001-01-01T00:00:00Z')).toBe(1);
  expect(await count('9999-12-31T23:59:59.999999Z')).toBe(0);
  const { body } = await scratch.patch(`${NODES}${old.node_id}`).send({ token: 'operation' });
  expect(await count(body.modified_at)).toBe(1);
});

test.each([
  '2026-02-01',
  '2026-02-01T00:00:00',
  '2026-02-01T00:00:00-00:00',
  '2026-02-30T00:00:00Z',
  '2026-02-01T00:00:60Z',
  '2026-02-01T24:00:00Z',
  '2026-02-01t00:00:00z',
  '2026-02-01T00:00:00.0000001Z',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+01:00',
  '9999-12-31T23:59:59-01:00',
  '+12026-02-01T00:00:00Z',
  '1770000000',
  'now',
  '',
])('modified_since %j is rejected', async (modified_since) => {
  expect(problemOf(await ano.get(NODES).query({ modified_since }))).toEqual(invalid('modified_since'));
});

test('invalid and unknown filters are all reported at once, and so are repeated ones', async () => {
  const query =
    'relation_id=1&token=x&technology=&status=x&customer_reference=&address_id=&available_until=2027-02-29&connected=yes&target=x&_page_size=0&_page_cursor=x&sort=asc&namespace=a';
  expect(problemOf(await ano.get(`${NODES}?${query}`))).toEqual(
    invalid(
      'relation_id',
      'token',
      'technology',
      'status',
      'customer_reference',
      'address_id',
      'available_until',
      'connected',
      'target',
      '_page_size',
      '_page_cursor',
      'sort',
      'namespace',
    ),
  );
  const twice = ['relation_id', 'token', 'target', '_page_size'].flatMap((name) => [`${name}=planned`, `${name}=planned`]).join('&');
  expect(problemOf(await ano.get(`${NODES}?${twice}`)).offenders).toEqual(
    expect.arrayContaining(['relation_id', 'token', 'target', '_page_size']),
  );
  expect(problemOf(await ano.get(`${NODES}?token=planned&token=planned`))).toEqual(invalid('token'));
  expect(problemOf(await ano.get(`${NODES}?token[]=planned&Token=planned`))).toEqual(invalid('token[]', 'Token'));
});
