import { type Api } from '../api.js';
import { type CallOptions, type DownloadOptions } from '../options.js';
import { type Call } from '../call.js';
import { type Changes, type FollowOptions } from '../changes.js';
import { FibreError } from '../errors.js';
import { describe, type FileFormat } from '../files/file-format.js';
import { linesOf } from '../files/lines.js';
import { type components, type operations, type paths } from '../generated/coverage-api.js';
import { SENT_BY_TRANSPORT, sendingOf, type Source } from '../files/upload.js';
import { type NodeChangesQuery, Nodes } from './nodes.js';
import { PublishedRelations, Relations } from './relations.js';
import { type NewCoverageWebhook, Webhooks } from '../webhooks.js';

/** A production node with its distance in metres and its quality. */
export type SearchResult = components['schemas']['SearchResultResponse'];
/** A production node as every operator's are shown. */
export type PublicNode = components['schemas']['PublicNodeResponse'];
export type AddressQuery = NonNullable<operations['searchAddress']['parameters']['query']>;
export type WordsQuery = Omit<operations['searchAddresses']['parameters']['query'], 'q'>;
/** Counts of a tenant's records. */
export type CoverageOverview = components['schemas']['OverviewResponse'];
/** A relation or node that was found. */
export type FoundInCoverage = components['schemas']['FoundResponse'];
/** A production node as the search shows it, or the ids of a deleted one. */
export type SearchChange = components['schemas']['UpsertedPublicNodeResponse'] | components['schemas']['DeletedNodeResponse'];
export type SearchQuery = operations['searchCoverage']['parameters']['query'];
export type PlaceQuery = NonNullable<operations['searchPlaces']['parameters']['query']>;
export type SearchExportQuery = NonNullable<operations['exportPublishedNodes']['parameters']['query']>;
export interface PlaceOptions extends DownloadOptions {
  format: FileFormat;
  /** The source is already compressed. */
  gzip?: boolean;
}
/** A row in a file of places, with its results (nearest first; those at an address have no distance) or an error that says what is wrong. */
export type SearchedPlace<Input = Record<string, unknown>> = { input: Input } & (
  { results: (PublicNode & Partial<SearchResult>)[]; error?: undefined } | { results?: undefined; error: string }
);
/** A Web Mercator tile: zoom level, column and row. */
export type TilePlace = operations['readMapTile']['parameters']['path'];
export type TileFilters = NonNullable<operations['readMapTile']['parameters']['query']>;
export interface TileOptions extends CallOptions {
  /** Browsers cache tiles; with `no-cache` they check whether a cached tile is still current. */
  cache?: 'default' | 'no-cache';
}

const TILE = '/v2/cov/tiles/{z}/{x}/{y}.mvt';

/** The coverage API. */
export class Coverage {
  readonly nodes: Nodes;
  readonly relations: Relations;
  readonly publishedRelations: PublishedRelations;
  readonly webhooks: Webhooks<NewCoverageWebhook>;

  constructor(private readonly api: Api<paths>) {
    this.nodes = new Nodes(api);
    this.relations = new Relations(api);
    this.publishedRelations = new PublishedRelations(api);
    this.webhooks = new Webhooks(api, '/v2/cov/webhooks');
  }

  /** Production nodes of all operators around a coordinate, nearest first. */
  search(query: SearchQuery, options: CallOptions = {}): Call<SearchResult[]> {
    return this.api.call(this.api.client.GET('/v2/cov/search', { params: { query }, ...this.api.with(options) }));
  }

  /** Production nodes of all operators at an address, by its id in the register: at most 100; `hasMore` says that there are more. */
  searchAddress(address_id: string, query: AddressQuery = {}, options: CallOptions = {}): Call<PublicNode[]> {
    const params = { path: { address_id }, query };
    return this.api.call(this.api.client.GET('/v2/cov/search/addresses/{address_id}', { params, ...this.api.with(options) }));
  }

  /** Up to ten production nodes of all operators whose `address` has all these words, best first: `searchAddresses('haupt 5 linz')`. `hasMore` says that one more word may find others. */
  searchAddresses(q: string, query: WordsQuery = {}, options: CallOptions = {}): Call<PublicNode[]> {
    return this.api.call(
      this.api.client.GET('/v2/cov/search/addresses', { params: { query: { ...query, q } }, ...this.api.with(options) }),
    );
  }

  /**
   * Searches each place in a file and returns the file with the results. Read the stream to the end to detect a failure. The response
   * starts while the file is still being sent; `onProgress` counts the bytes of the response.
   */
  searchFile(source: Source, query: PlaceQuery, { format, gzip, ...options }: PlaceOptions): Call<ReadableStream<Uint8Array>> {
    const headers = { ...options.headers, ...describe(format, gzip) };
    const request = { params: { query }, body: SENT_BY_TRANSPORT };
    const sending = { ...sendingOf(source, false), repeatable: true };
    return this.api.download({ ...options, headers }, (how) => this.api.client.POST('/v2/cov/search', { ...request, ...how }), sending);
  }

  /** Like `searchFile`, but row by row, in the file's order: `for await (const { input, results, error } of coverage.searchMany(...))`. */
  async *searchMany<Input = Record<string, unknown>>(
    source: Source,
    query: Omit<PlaceQuery, 'format'>,
    options: PlaceOptions,
  ): AsyncGenerator<SearchedPlace<Input>> {
    for await (const line of linesOf(await this.searchFile(source, { ...query, format: 'ndjson' }, options))) {
      const row = JSON.parse(line) as SearchedPlace<Input>;
      // A line without `input` reports an error that stopped the search before the end of the file.
      if (!('input' in row)) throw new FibreError((row as { error: string }).error);
      yield row;
    }
  }

  /** All production nodes of all operators that match the filters, as a file. Read the stream to the end to detect a failure. */
  export(query: SearchExportQuery = {}, options: DownloadOptions = {}): Call<ReadableStream<Uint8Array>> {
    return this.api.download(options, (how) => this.api.client.GET('/v2/cov/search/export', { params: { query }, ...how }));
  }

  /** Counts of your nodes and relations, relations that are waiting for a merge, and the last import. */
  overview(options: CallOptions = {}): Call<CoverageOverview> {
    return this.api.call(this.api.client.GET('/v2/cov/overview', this.api.with(options)));
  }

  /** Finds up to ten of your relations and nodes by what their names, references and ids begin with, exact matches first. */
  find(q: string, options: CallOptions = {}): Call<FoundInCoverage[]> {
    return this.api.call(this.api.client.GET('/v2/cov/find', { params: { query: { q } }, ...this.api.with(options) }));
  }

  /** Changes to every operator's production nodes, as the search shows them, for clients that keep a copy. */
  searchChanges(query: NodeChangesQuery = {}, options: FollowOptions = {}): Changes<SearchChange> {
    return this.api.changes(options, (_page_cursor, how) =>
      this.api.client.GET('/v2/cov/search/changes', { params: { query: { ...query, _page_cursor } }, ...how }),
    );
  }

  /** Your nodes as a Mapbox vector tile; empty if there are none. */
  tile(path: TilePlace, query: TileFilters = {}, { cache, headers, ...options }: TileOptions = {}): Call<ArrayBuffer> {
    const how = this.api.with({ ...options, headers: { accept: 'application/vnd.mapbox-vector-tile', ...headers } });
    const answer = this.api.client.GET(TILE, { params: { path, query }, parseAs: 'arrayBuffer', cache, ...how });
    return this.api.call(answer.then(({ data = new ArrayBuffer(0), ...others }) => ({ data, ...others })));
  }
}
