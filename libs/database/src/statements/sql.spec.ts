import { bound, given, join, raw, sql, statement } from './sql.js';

test('values are bound in the order of their first use, whatever they are', () => {
  const values = [`'; drop table node`, 7, null, false, ['$1'], new Date(0)];
  const { text, values: sent } = statement(
    'all',
  )`select ${values[0]}, ${values[1]}, ${values[2]}, ${values[3]}, ${values[4]}, ${values[5]}`;
  expect([text, sent]).toEqual(['select $1, $2, $3, $4, $5, $6', values]);
});

test('a part brings its values along, and has the same numbers wherever it stands', () => {
  const condition = sql`n.tenant = ${'one'}`;
  const part = sql`select from node n where ${condition}`;
  expect(statement('twice')`select ${2} from (${part} union all ${part} and ${true}) n where ${condition}`).toEqual({
    name: 'twice',
    text: 'select $1 from (select from node n where n.tenant = $2 union all select from node n where n.tenant = $2 and $3) n where n.tenant = $2',
    values: [2, 'one', true],
  });
});

test('equal values have numbers of their own, unless one part binds them', () => {
  const tenant = bound('one');
  const { text, values } = statement('equal')`select ${'one'}, ${tenant}, ${'one'}, ${sql`upper(${tenant})`}`;
  expect([text, values]).toEqual(['select $1, $2, $3, upper($2)', ['one', 'one', 'one']]);
});

test('constants are text, and what is absent is nothing', () => {
  const conditions = join([sql`a = ${1}`, undefined, raw('b'), sql``], ' and ');
  const { text, values } = statement('join')`where ${conditions}${undefined} limit ${raw(10)} + 1${join([], ', ')}`;
  expect([text, values]).toEqual(['where a = $1 and b and  limit 10 + 1', [1]]);
});

test('a missing value that would be cast is an error, because its absence would change what the statement means', () => {
  expect(() => sql`a = ${undefined}::text`).toThrow('Nothing is cast in "::text"');
});

test('a part exists only if its value does', () => {
  const columns = [given(undefined, (value) => sql`a = ${value}`), given(null, (value) => sql`b = ${value}`), bound(undefined)];
  expect(statement('given')`${join(columns, ', ')}`).toEqual({ name: 'given', text: 'b = $1, $2', values: [null, undefined] });
});
