import type {
  AccessNode,
  AccessNodeFilters,
  DownloadOptions,
  FibreClient,
  FileFormat,
  Listing,
  TileOptions,
  TilePlace,
} from '@fibre/client';
import type { Shown } from './access-node.js';

/**
 * The nodes that the page shows, the newest first. The list, the map, the selection (and so its change, deletion and file) and the file of
 * all of them come from this query, so that each is about the nodes that the person sees.
 */
export function nodesQuery({ coverage }: FibreClient, shown: Shown) {
  const { target, relation_id, ...others } = shown;
  return {
    /** What the query depends on. */
    key: JSON.stringify(shown),
    /** The relation whose nodes are exactly those of the query, if nothing else is asked. */
    wholeRelation: Object.keys(others).length === 0 ? relation_id : undefined,
    // Any text is passed on, although the API's types only allow certain values; the service rejects all others.
    list: (page: { readonly _page_size: number }, signal?: AbortSignal): Listing<AccessNode> =>
      coverage.nodes.list({ ...shown, ...page, _order: 'desc' } as AccessNodeFilters, { signal }),
    tile: (tile: TilePlace, options: TileOptions) => coverage.tile(tile, shown as object, options),
    file: (format: FileFormat, options: DownloadOptions) => coverage.nodes.export({ ...shown, format } as object, options),
  };
}
export type NodesQuery = ReturnType<typeof nodesQuery>;

/**
 * The nodes of the query, in its order.
 *
 * @param isWanted which of them; by default, all
 * @returns nothing if there are more than `most`, since a part of them would not be what the person sees
 */
export async function allOf(
  query: NodesQuery,
  { most, isWanted = () => true, signal }: { most: number; isWanted?: (node: AccessNode) => boolean; signal: AbortSignal },
): Promise<AccessNode[] | undefined> {
  const found: AccessNode[] = [];
  for await (const node of query.list({ _page_size: most + 1 }, signal)) {
    if (!isWanted(node)) continue;
    if (found.length === most) return undefined;
    found.push(node);
  }
  return found;
}
