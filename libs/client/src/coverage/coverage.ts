import { type Api, type CallOptions } from '../api.js';
import { type Call } from '../call.js';
import { type components, type operations, type paths } from '../generated/coverage-api.js';
import { Nodes } from './nodes.js';
import { Relations } from './relations.js';

/** A production node with its distance in metres and the quality that follows from it. */
export type SearchResult = components['schemas']['SearchResultResponse'];
export type SearchQuery = operations['searchCoverage']['parameters']['query'];
/** A tile of the usual Web Mercator scheme: zoom level, column and row. */
export type TilePlace = operations['readMapTile']['parameters']['path'];
export type TileFilters = NonNullable<operations['readMapTile']['parameters']['query']>;
export interface TileOptions extends CallOptions {
  /** For browsers, which keep tiles: `no-cache` asks the service whether a kept one is still good. */
  cache?: 'default' | 'no-cache';
}

const TILE = '/v2/cov/tiles/{z}/{x}/{y}.mvt';

/** The coverage API. */
export class Coverage {
  readonly nodes: Nodes;
  readonly relations: Relations;

  constructor(private readonly api: Api<paths>) {
    this.nodes = new Nodes(api);
    this.relations = new Relations(api);
  }

  /** The production nodes around a coordinate, nearest first, of every operator. */
  search(query: SearchQuery, options: CallOptions = {}): Call<SearchResult[]> {
    return this.api.call(this.api.client.GET('/v2/cov/search', { params: { query }, ...this.api.with(options) }));
  }

  /** Your nodes on a map, as a Mapbox vector tile; empty where there are none. */
  tile(path: TilePlace, query: TileFilters = {}, { cache, headers, ...options }: TileOptions = {}): Call<ArrayBuffer> {
    const how = this.api.with({ ...options, headers: { accept: 'application/vnd.mapbox-vector-tile', ...headers } });
    const answer = this.api.client.GET(TILE, { params: { path, query }, parseAs: 'arrayBuffer', cache, ...how });
    return this.api.call(answer.then(({ data = new ArrayBuffer(0), ...others }) => ({ data, ...others })));
  }
}
