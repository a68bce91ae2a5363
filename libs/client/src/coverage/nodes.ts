import { type Api } from '../api.js';
import { type CallOptions, type DownloadOptions, type VersionOptions } from '../options.js';
import { type Call } from '../call.js';
import { type Changes, type FollowOptions } from '../changes.js';
import { type components, type operations, type paths } from '../generated/coverage-api.js';
import { describe, type FileFormat } from '../files/file-format.js';
import { NODE_FIELDS } from '../generated/vocabulary.js';
import { type Listing } from '../listing.js';
import { type OnProgress, SENT_BY_TRANSPORT, sendingOf, type Source } from '../files/upload.js';

type Schemas = components['schemas'];
/** A coverage access node (CAN). */
export type AccessNode = Schemas['AccessNodeResponse'];
export type NewAccessNode = Schemas['CreateAccessNodeRequest'];
/** A JSON merge patch: absent members keep their value, and `null` clears them. */
export type AccessNodeChanges = Schemas['UpdateAccessNodeRequest'];
/** A JSON merge patch of several nodes. */
export type AccessNodesChanges = Schemas['NodesChanges'];
export type UpdateResult = Schemas['UpdatedNodesResponse'];
export type DeletionResult = Schemas['DeletedNodesResponse'];
export type AccessNodeFilters = Omit<NonNullable<operations['listAccessNodes']['parameters']['query']>, '_page_cursor'>;
/** Pre-production (`prenodes`) or production (`nodes`). */
export type Collection = NonNullable<AccessNodeFilters['target']>;
export type MergeResult = Schemas['MergeResponse'];

export type ImportResult = Schemas['ImportResponse'];
export type ImportQuery = NonNullable<operations['importAccessNodes']['parameters']['query']>;
/** Columns of an import file: the fields of a node, or `latitude` and `longitude` instead of `center`. */
export const IMPORT_COLUMNS: readonly string[] = [...NODE_FIELDS, 'latitude', 'longitude'];
export interface ImportOptions extends CallOptions {
  format: FileFormat;
  /** The source is already compressed. */
  gzip?: boolean;
  /** Size of the source in bytes, for `onProgress`; only needed for a stream or a function. */
  size?: number;
  onProgress?: OnProgress;
  /** Sending the same file again with the same key returns the first response. By default, each call has its own key. */
  idempotencyKey?: string;
}

/** The current node, or the ids of a deleted one. */
export type NodeChange = Schemas['UpsertedNodeResponse'] | Schemas['DeletedNodeResponse'];
export type NodeChangesQuery = Omit<NonNullable<operations['listNodeChanges']['parameters']['query']>, '_page_cursor'>;

export type ExportQuery = NonNullable<operations['exportAccessNodes']['parameters']['query']>;

const NODES = '/v2/cov/nodes';
const NODE = '/v2/cov/nodes/{node_id}';

/** The service may take up to a minute for these operations. */
const BULK = { defaultTimeoutMs: 90_000 };

export class Nodes {
  constructor(private readonly api: Api<paths>) {}

  list(query: AccessNodeFilters = {}, options: CallOptions = {}): Listing<AccessNode> {
    return this.api.list(options, (how) => this.api.client.GET(NODES, { params: { query }, ...how }));
  }

  create(body: NewAccessNode, { target, ...options }: CallOptions & { target?: Collection } = {}): Call<AccessNode> {
    return this.api.call(this.api.client.POST(NODES, { params: { query: { target } }, body, ...this.api.with(options) }));
  }

  read(node_id: string, options: CallOptions = {}): Call<AccessNode> {
    return this.api.call(this.api.client.GET(NODE, { params: { path: { node_id } }, ...this.api.with(options) }));
  }

  update(node_id: string, body: AccessNodeChanges, options: VersionOptions = {}): Call<AccessNode> {
    return this.api.call(this.api.client.PATCH(NODE, { params: { path: { node_id } }, body, ...this.api.with(options) }));
  }

  /** Sets the same values in up to 1,000 nodes, or in none. Not retried, because only the first response has the counts. */
  updateMany(
    node_ids: string[],
    set: AccessNodesChanges,
    { dryRun, ...options }: CallOptions & { dryRun?: boolean } = {},
  ): Call<UpdateResult> {
    const params = { query: { dry_run: dryRun ? ('true' as const) : undefined } };
    return this.api.call(this.api.client.PATCH(NODES, { params, body: { node_ids, set }, ...this.api.with(options, BULK) }));
  }

  /** Deletes up to 1,000 nodes of either collection, all or none. Not retried, because only the first response has the count. */
  deleteMany(node_ids: string[], { dryRun, ...options }: CallOptions & { dryRun?: boolean } = {}): Call<DeletionResult> {
    const params = { query: { dry_run: dryRun ? ('true' as const) : undefined } };
    return this.api.call(this.api.client.POST(`${NODES}/deletions`, { params, body: { node_ids }, ...this.api.with(options, BULK) }));
  }

  delete(node_id: string, options: VersionOptions = {}): Call<void> {
    return this.api.call<void>(this.api.client.DELETE(NODE, { params: { path: { node_id } }, ...this.api.with(options) }));
  }

  /** Moves all pre-production nodes of a relation to production. Not retried, because only the first response has the counts. */
  merge(relation_id: string, options: CallOptions = {}): Call<MergeResult> {
    return this.api.call(this.api.client.PUT(NODES, { params: { query: { relation_id } }, ...this.api.with(options, BULK) }));
  }

  /** Deletes all nodes of a relation in one collection, by default in production. */
  deleteByRelation(relation_id: string, { target, ...options }: CallOptions & { target?: Collection } = {}): Call<void> {
    const params = { query: { relation_id, target } };
    return this.api.call<void>(this.api.client.DELETE(NODES, { params, ...this.api.with(options, { ...BULK, repeatable: true }) }));
  }

  /**
   * Creates and updates nodes from a file. With `mode: 'lax'`, the result lists the rejected rows in `errors`. In strict mode, rejected
   * rows cause an ApiError with the code `import-refused`; its `errors` lists them, and its `problem` has the counts `rows` and `refused`.
   * With `absent: 'delete'`, nodes that the file does not name are deleted; too many of them cause `too-many-deletions`, with the counts.
   */
  import(source: Source, query: ImportQuery, { format, gzip, size, onProgress, ...options }: ImportOptions): Call<ImportResult> {
    const { idempotencyKey = crypto.randomUUID() } = options;
    const headers = { ...options.headers, ...describe(format, gzip) };
    const sending = { repeatable: true, ...sendingOf(source, this.api.transport.isPlain, onProgress, size) };
    const how = this.api.with({ ...options, idempotencyKey, headers }, sending);
    return this.api.call(this.api.client.POST(`${NODES}/import`, { params: { query }, body: SENT_BY_TRANSPORT, ...how }));
  }

  /** Changes to your production nodes, for clients that keep a copy. */
  changes(query: NodeChangesQuery = {}, options: FollowOptions = {}): Changes<NodeChange> {
    return this.api.changes(options, (_page_cursor, how) =>
      this.api.client.GET(`${NODES}/changes`, { params: { query: { ...query, _page_cursor } }, ...how }),
    );
  }

  /** All nodes that match the filters, as a file. Read the stream to the end to detect a failure. */
  export(query: ExportQuery = {}, options: DownloadOptions = {}): Call<ReadableStream<Uint8Array>> {
    return this.api.download(options, (how) => this.api.client.GET(`${NODES}/export`, { params: { query }, ...how }));
  }
}
