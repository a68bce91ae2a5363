/** A node of a PostgreSQL parse tree: `{TYPE :field value ...}`. */
export interface TreeNode {
  readonly type: string;
  readonly fields: Readonly<Record<string, TreeValue>>;
}
export type TreeValue = TreeNode | readonly TreeValue[] | string;

const TOKEN = /\\.|[{}()]|(?:\\.|[^\s{}()\\])+/gs;

/** Parses the text of a query tree, as logged with `debug_print_parse`. */
export function parseTree(text: string): TreeNode {
  const tokens = text.match(TOKEN) ?? [];
  let at = 0;

  const value = (): TreeValue => {
    const token = tokens[at++]!;
    if (token === '{') return node();
    if (token !== '(') return token;
    const list: TreeValue[] = [];
    while (tokens[at] !== ')') list.push(value());
    at++;
    return list;
  };
  const node = (): TreeNode => {
    const type = tokens[at++]!;
    const fields: Record<string, TreeValue> = {};
    while (tokens[at] !== '}') {
      const name = tokens[at++]!.slice(1);
      fields[name] = tokens[at]!.startsWith(':') || tokens[at] === '}' ? '' : value();
      // Skips the bytes of a constant.
      while (tokens[at] !== '}' && !tokens[at]!.startsWith(':')) at++;
    }
    at++;
    return { type, fields };
  };
  return value() as TreeNode;
}

/** Every node within a value, including itself. Nodes of the type `skip` are omitted with all their contents. */
export function* nodesIn(value: TreeValue | undefined, skip?: string): Generator<TreeNode> {
  if (value === undefined || typeof value === 'string') return;
  if (Array.isArray(value)) {
    for (const item of value as readonly TreeValue[]) yield* nodesIn(item, skip);
    return;
  }
  const node = value as TreeNode;
  if (node.type === skip) return;
  yield node;
  for (const field of Object.values(node.fields)) yield* nodesIn(field, skip);
}

/** The items of a list field. */
export const listOf = (value: TreeValue | undefined): readonly TreeNode[] => (Array.isArray(value) ? (value as readonly TreeNode[]) : []);
