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
export function nodesIn(value: TreeValue | undefined, skip?: string): TreeNode[] {
  const found: TreeNode[] = [];
  // Nested generators would pass each of the thousands of nodes of a statement through every node above it.
  const visit = (part: TreeValue): void => {
    if (typeof part === 'string') return;
    if (Array.isArray(part)) return (part as readonly TreeValue[]).forEach(visit);
    const node = part as TreeNode;
    if (node.type === skip) return;
    found.push(node);
    Object.values(node.fields).forEach(visit);
  };
  if (value !== undefined) visit(value);
  return found;
}

/** The items of a list field. */
export const listOf = (value: TreeValue | undefined): readonly TreeNode[] => (Array.isArray(value) ? (value as readonly TreeNode[]) : []);
