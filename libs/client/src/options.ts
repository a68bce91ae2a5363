import { type OnProgress } from './files/upload.js';

/** Options that every call accepts. */
export interface CallOptions {
  signal?: AbortSignal;
  /** Timeout for one attempt in milliseconds. */
  timeoutMs?: number;
  headers?: Record<string, string>;
}

export interface DownloadOptions extends CallOptions {
  onProgress?: OnProgress;
}

export interface VersionOptions extends CallOptions {
  /** The `etag` of the version to change; if the record has changed since, the request is rejected (412). */
  ifMatch?: string;
}

export interface NamespaceOptions extends CallOptions {
  /** Each namespace has its own state, for development and tests. Default: the client's namespace. */
  namespace?: string;
}

/** All options that are sent as headers. */
export interface HeaderOptions extends VersionOptions, NamespaceOptions {
  idempotencyKey?: string;
}
