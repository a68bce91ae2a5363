import type { Statement } from '@fibre/database';
import type { ClientBase } from 'pg';
import { listOf, nodesIn, parseTree, type TreeNode, type TreeValue } from './query-tree.js';

/** What the rules need from PostgreSQL's catalog. */
export interface Catalog {
  /** The names of distributed tables, and the numbers of their `shard_key` columns, by oid. */
  readonly tables: ReadonlyMap<string, { readonly name: string; readonly shardKey: string }>;
  /** The names of functions that are not immutable, and of operators that use such a function, by oid. */
  readonly changing: { readonly functions: ReadonlyMap<string, string>; readonly operators: ReadonlyMap<string, string> };
  /** Equality operators, by oid. */
  readonly equality: ReadonlyMap<string, string>;
  /** Functions that are distributed by their first argument, by oid. */
  readonly distributedFunctions: ReadonlyMap<string, string>;
}

/** How Citus would run a statement. */
export interface Judgement {
  /** Why Citus rejects or splits it. */
  readonly faults: readonly string[];
  /** Whether it reads rows of only one shard of each table. */
  readonly isOneShard: boolean;
}

const [UPDATE, INSERT, MERGE] = ['2', '3', '5'];
const [RELATION, FUNCTION, VALUES] = ['0', '3', '5'];

/** Reads the catalog of the database that `client` is connected to. */
export async function readCatalog(client: ClientBase): Promise<Catalog> {
  const pairs = async (text: string): Promise<Map<string, string>> => {
    const { rows } = await client.query<{ oid: string; name: string }>(text);
    return new Map(rows.map(({ oid, name }) => [oid, name]));
  };
  const { rows } = await client.query<{ oid: string; name: string; shard_key: string }>(
    `select c.oid::text, c.relname as name, a.attnum::text as shard_key
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'shard_key' where c.relkind = 'r'`,
  );
  return {
    tables: new Map(rows.map(({ oid, name, shard_key }) => [oid, { name, shardKey: shard_key }])),
    changing: {
      functions: await pairs(`select oid::text, proname as name from pg_proc where provolatile <> 'i'`),
      operators: await pairs(
        `select o.oid::text, o.oprname as name from pg_operator o join pg_proc p on p.oid = o.oprcode where p.provolatile <> 'i'`,
      ),
    },
    equality: await pairs(`select oid::text, oprname as name from pg_operator where oprname = '='`),
    distributedFunctions: await pairs(
      `select oid::text, proname as name from pg_proc where proname in ('append_event', 'overwrite_event', 'erase_entity')`,
    ),
  };
}

/** Runs a statement in a transaction that is rolled back; checks the statement and everything that its functions run. */
export async function judge(
  client: ClientBase,
  catalog: Catalog,
  { text, values }: Pick<Statement, 'text' | 'values'>,
): Promise<Judgement> {
  // Each once: a function logs the trees of its statements whenever it runs them for the first time on a connection or for a row.
  const logged = new Set<string>();
  const collect = ({ message, detail }: { message?: string; detail?: string }): void => {
    if (message === 'parse tree:' && detail) logged.add(detail);
  };
  await client.query('begin');
  await client.query('set local debug_pretty_print = off; set local client_min_messages = log; set local debug_print_parse = on');
  client.on('notice', collect);
  try {
    await client.query(text, values);
  } finally {
    client.off('notice', collect);
    await client.query('rollback');
  }
  const queries = [...logged].map(parseTree).filter(({ fields }) => fields.utilityStmt === '<>');
  if (queries.length === 0) throw new Error(`PostgreSQL logged no parse tree for ${text}`);
  const isOneShard = queries.every((query) => allQueries(query).every((each) => namesItsShard(each, catalog)));
  const faults = queries.flatMap((query) => [...faultsOf(query, catalog), ...(isOneShard ? [] : tablelessFaults(query, catalog))]);
  return { faults: [...new Set(faults)], isOneShard };
}

const allQueries = (query: TreeNode): TreeNode[] => nodesIn(query).filter(({ type }) => type === 'QUERY');

function faultsOf(whole: TreeNode, catalog: Catalog): string[] {
  const queries = allQueries(whole);
  const modifies = ({ fields }: TreeNode): boolean => fields.commandType !== '1';
  const tables = new Set(queries.flatMap((query) => relationsOf(query, catalog).map(({ table }) => table.name)));
  const hasModifyingPart = queries.some((query) => query !== whole && modifies(query));
  return [
    ...queries.flatMap((query) => faultsOfQuery(query, catalog)),
    ...(hasModifyingPart && tables.size > 1 ? [`changes rows in one part and uses ${[...tables].sort().join(' and ')}`] : []),
  ];
}

/** Citus does not send a subquery without a table to all shards if it could have another result there. */
const tablelessFaults = (whole: TreeNode, catalog: Catalog): string[] =>
  allQueries(whole)
    .filter((query) => query !== whole && listOf(query.fields.rtable).length === 0)
    .flatMap(({ fields }) => changingFunctions(fields.targetList, catalog))
    .map((name) => `uses the result of ${name} in a subquery without a table`);

function faultsOfQuery({ fields }: TreeNode, catalog: Catalog): string[] {
  const faults: string[] = [];
  const targets = listOf(fields.targetList);
  if (fields.commandType === MERGE) faults.push('is a merge');
  if (fields.commandType === '1' && targets.length === 0) faults.push('selects no column');
  if (fields.hasRecursive === 'true') faults.push('is recursive');
  const onConflict = fields.onConflict === '<>' ? undefined : (fields.onConflict as TreeNode | undefined);
  const assigned = [...(fields.commandType === UPDATE ? targets : []), ...listOf(onConflict?.fields.onConflictSet)];
  for (const name of changingFunctions(assigned, catalog)) faults.push(`sets a column to the result of ${name}`);
  for (const name of changingFunctions(fields.returningList, catalog)) faults.push(`returns the result of ${name}`);
  const isFromValues = listOf(fields.rtable).every((entry) => [RELATION, VALUES].includes(entry.fields.rtekind as string));
  const hasSubquery = nodesIn(targets).some(({ type }) => type === 'SUBLINK');
  if (fields.commandType === INSERT && isFromValues && hasSubquery) faults.push('inserts the result of a subquery as a value');
  for (const { fields: call } of functionCalls(fields)) {
    const isBound = listOf(call.args).every(({ type }) => type === 'PARAM');
    if (catalog.distributedFunctions.has(call.funcid as string) && !isBound)
      faults.push('calls a distributed function with more than plain parameters');
  }
  return faults;
}

/** Functions and operators whose result depends on more than their arguments. */
function changingFunctions(value: TreeValue | undefined, { changing }: Catalog): string[] {
  return nodesIn(value).flatMap(({ type, fields }) => {
    if (type === 'SQLVALUEFUNCTION') return ['a clock function'];
    const name = type === 'FUNCEXPR' ? changing.functions.get(fields.funcid as string) : changing.operators.get(fields.opno as string);
    return name === undefined ? [] : [name];
  });
}

const functionCalls = (fields: TreeNode['fields']): TreeNode[] =>
  listOf(fields.rtable)
    .filter((entry) => entry.fields.rtekind === FUNCTION)
    .flatMap((entry) => nodesIn(entry.fields.functions).filter(({ type }) => type === 'FUNCEXPR'));

function relationsOf({ fields }: TreeNode, catalog: Catalog): { number: string; table: { name: string; shardKey: string } }[] {
  return listOf(fields.rtable).flatMap((entry, index) => {
    const table = entry.fields.rtekind === RELATION ? catalog.tables.get(entry.fields.relid as string) : undefined;
    return table ? [{ number: String(index + 1), table }] : [];
  });
}

/** Whether this query, apart from its subqueries, restricts each distributed table to one value of its shard key. */
function namesItsShard(query: TreeNode, catalog: Catalog): boolean {
  const { fields } = query;
  return relationsOf(query, catalog).every(({ number, table }) => {
    if (fields.commandType === INSERT && fields.resultRelation === number) {
      const column = listOf(fields.targetList).find((target) => target.fields.resno === table.shardKey);
      return (column?.fields.expr as TreeNode | undefined)?.type === 'PARAM';
    }
    // This is `excluded`, the row proposed for insertion, so it has the key of the insert.
    if (fields.commandType === INSERT && (fields.onConflict as TreeNode).fields?.exclRelIndex === number) return true;
    return conjuncts(fields.jointree as TreeNode).some(({ type, fields: { opno, args } }) => {
      const [left, right] = listOf(args);
      return (
        type === 'OPEXPR' &&
        catalog.equality.has(opno as string) &&
        left?.type === 'VAR' &&
        left.fields.varno === number &&
        left.fields.varlevelsup === '0' &&
        left.fields.varattno === table.shardKey &&
        nodesIn(right).some((node) => node.type === 'PARAM')
      );
    });
  });
}

/** The conditions of a query and its joins that must all hold. */
function conjuncts(from: TreeNode): TreeNode[] {
  const quals = nodesIn(from, 'QUERY')
    .filter(({ type }) => type === 'FROMEXPR' || type === 'JOINEXPR')
    .map(({ fields }) => fields.quals);
  const split = (value: TreeValue | undefined): TreeNode[] => {
    if (typeof value !== 'object' || Array.isArray(value)) return [];
    const node = value as TreeNode;
    return node.type === 'BOOLEXPR' && node.fields.boolop === 'and' ? listOf(node.fields.args).flatMap(split) : [node];
  };
  return quals.flatMap(split);
}
