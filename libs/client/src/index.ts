export { type Answer, type Call } from './call.js';
export { type Changes, type ChangesPage, type FollowOptions } from './changes.js';
export { clientCredentials, type ClientCredentials } from './client-credentials.js';
export {
  type AddressQuery,
  type Coverage,
  type CoverageOverview,
  type FoundInCoverage,
  type PlaceOptions,
  type PlaceQuery,
  type PublicNode,
  type SearchedPlace,
  type SearchChange,
  type SearchExportQuery,
  type SearchQuery,
  type SearchResult,
  type TileFilters,
  type TileOptions,
  type TilePlace,
  type WordsQuery,
} from './coverage/coverage.js';
export {
  type AccessNode,
  type AccessNodeChanges,
  type AccessNodesChanges,
  type AccessNodeFilters,
  type Collection,
  type DeletionResult,
  type ExportQuery,
  IMPORT_COLUMNS,
  type ImportOptions,
  type ImportQuery,
  type ImportResult,
  type MergeResult,
  type NewAccessNode,
  type NodeChange,
  type NodeChangesQuery,
  type Nodes,
} from './coverage/nodes.js';
export {
  type CountedRelation,
  type NewRelation,
  type PublishedRelation,
  type PublishedRelationFilters,
  type PublishedRelations,
  type Relation,
  type RelationChanges,
  type RelationFilters,
  type Relations,
} from './coverage/relations.js';
export {
  AbortedError,
  ApiError,
  ConnectionError,
  FibreError,
  type InvalidPart,
  type Problem,
  TimeoutError,
  TokenError,
  TooManyRowsError,
  UnexpectedAnswerError,
} from './errors.js';
export {
  billingColumns,
  type BillingFile,
  type BillingRow,
  billingSheet,
  correctionRows,
  lineRow,
  type Party,
  stepRows,
} from './events/billing-files.js';
export {
  type Charge,
  type ChargedClosing,
  type ChargedClosingFilters,
  type ChargedCorrection,
  type ChargedCorrectionQuery,
  type ChargedTotal,
  type ChargeQuery,
  type Charges,
  type Line,
  type LineChange,
  type LineChangesQuery,
  type LineExportQuery,
  type LineQuery,
} from './events/charges.js';
export { daysBetween, rounded } from './events/days.js';
export { type CloseOptions, type Closing, type ClosingFilters, type Closings, type NewClosing } from './events/closings.js';
export {
  type Entities,
  type Entity,
  type EntityFilters,
  type EntityWithPeriods,
  type EventOverview,
  type FoundInEvents,
  type Period,
  type TrendMonth,
  type TrendQuery,
} from './events/entities.js';
export {
  type DryRun,
  type EventChange,
  type EventChangesQuery,
  type EventExportQuery,
  type EventFilters,
  type Events,
  type NewEvent,
  type LatestEventFilters,
  type ListedEvent,
  type RecordedEvent,
  type RefusedEvent,
  type RefusedEventFilters,
} from './events/events.js';
export { type PutOutcome } from './events/put-all.js';
export { type Isp, type IspFilters, type Isps, type NewIsp } from './events/isps.js';
export {
  type ChargedStep,
  type Correction,
  type CorrectionQuery,
  monthWindow,
  type PeriodExportQuery,
  type PeriodQuery,
  type Periods,
  type Total,
  type TotalExportQuery,
  type TotalQuery,
} from './events/periods.js';
export { FILE_FORMATS, fileFormat, type FileFormat } from './files/file-format.js';
export { recordsOf } from './files/lines.js';
export { type SheetRow, sheetRows } from './files/sheet-rows.js';
export { FibreClient, type FibreClientOptions } from './fibre-client.js';
export * from './generated/vocabulary.js';
export { type Listing, type Page } from './listing.js';
export { type CallOptions, type DownloadOptions, type NamespaceOptions, type VersionOptions } from './options.js';
export { type TransportOptions } from './transport.js';
export { type OnProgress, type Progress, type Source } from './files/upload.js';
export {
  type NewCoverageWebhook,
  type NewEventWebhook,
  verifyWebhook,
  type Webhook,
  type WebhookChanges,
  type WebhookEvent,
  type WebhookQuery,
  Webhooks,
  type WebhookTest,
  type WebhookWithSecret,
} from './webhooks.js';
