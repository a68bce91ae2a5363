import { type Api, type CallOptions, type DownloadOptions } from '../api.js';
import { type Call } from '../call.js';
import { Changes, type FetchChanges, type FollowOptions } from '../changes.js';
import { type components, type operations, type paths } from '../generated/coverage-api.js';
import { type FileFormat, MEDIA_TYPES } from '../files/file-format.js';
import { NODE_FIELDS } from '../generated/vocabulary.js';
import { type Listing } from '../listing.js';
import { type OnProgress, sendingOf, type Source } from '../files/upload.js';

type Schemas = components['schemas'];
/** A coverage access node (CAN). */
export type AccessNode = Schemas['AccessNodeResponse'];
export type NewAccessNode = Schemas['CreateAccessNodeRequest'];
/** A JSON merge patch: absent members keep their value, and `null` clears them. */
export type AccessNodeChanges = Schemas['UpdateAccessNodeRequest'];
/** A JSON merge patch of several nodes. */
export type AccessNodesChanges = Schemas['NodesChanges'];
export type UpdateResult = Schemas['UpdatedNodesResponse'];
export type AccessNodeFilters = Omit<NonNullable<operations['listAccessNodes']['parameters']['query']>, '_page_cursor'>;
/** Pre-production (`prenodes`) or production (`nodes`). */
export type Collection = NonNullable<AccessNodeFilters['target']>;
export type MergeResult = Schemas['MergeResponse'];

export interface VersionOptions extends CallOptions {
  /** The `etag` of the version to change; if the record has changed since, the request is rejected (412). */
  ifMatch?: string;
}

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
export type Change<Node> =
  { change: 'upserted'; changed_at: string; node: Node } | { change: 'deleted'; changed_at: string; node: Schemas['DeletedNodeResponse'] };
export type NodeChange = Change<AccessNode>;
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

  update(node_id: string, body: AccessNodeChanges, { ifMatch, ...options }: VersionOptions = {}): Call<AccessNode> {
    const params = { path: { node_id }, header: { 'if-match': ifMatch } };
    return this.api.call(this.api.client.PATCH(NODE, { params, body, ...this.api.with(options) }));
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

  delete(node_id: string, { ifMatch, ...options }: VersionOptions = {}): Call<void> {
    const params = { path: { node_id }, header: { 'if-match': ifMatch } };
    return this.api.call<void>(this.api.client.DELETE(NODE, { params, ...this.api.with(options) }));
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
    const { idempotencyKey = crypto.randomUUID(), headers, ...others } = options;
    const sending = sendingOf(source, this.api.transport.isPlain, onProgress, size);
    const described = { ...headers, 'content-type': MEDIA_TYPES[format], ...(gzip && { 'content-encoding': 'gzip' }) };
    const how = this.api.with({ ...others, headers: described }, { repeatable: true, ...sending });
    const params = { query, header: { 'idempotency-key': idempotencyKey } };
    // The transport sends the body.
    const body = undefined as never;
    return this.api.call(this.api.client.POST(`${NODES}/import`, { params, body, ...how }));
  }

  /** Changes to your production nodes, for clients that keep a copy. */
  changes(query: NodeChangesQuery = {}, options: FollowOptions = {}): Changes<NodeChange> {
    const fetchPage = (_page_cursor?: string) =>
      this.api.client.GET(`${NODES}/changes`, { params: { query: { ...query, _page_cursor } }, ...this.api.with(options) });
    return new Changes(fetchPage as FetchChanges<NodeChange>, options);
  }

  /** All nodes that match the filters, as a file. Read the stream to the end to detect a failure. */
  export(query: ExportQuery = {}, options: DownloadOptions = {}): Call<ReadableStream<Uint8Array>> {
    const how = this.api.streamed(options);
    return this.api.download(this.api.client.GET(`${NODES}/export`, { params: { query }, ...how }), options);
  }
}
