import { tmpdir } from 'node:os';
import { httpUrl, makeValidator, port, postgresUrl, readEnv, wholeNumber } from '@fibre/server';
import { bool, str } from 'envalid';
import { DEFAULT_QUALITY_TABLE, parseQualityTable, type QualityTable } from './settings/quality-table.js';
import { parseServiceArea, type ServiceArea } from './settings/service-area.js';

const qualityTable = makeValidator<QualityTable>(parseQualityTable);
/** A pattern for the whole text. */
const pattern = makeValidator<RegExp>((input) => {
  try {
    return new RegExp(`^(?:${input})$`, 'u');
  } catch {
    throw new Error('must be a regular expression');
  }
});
const serviceArea = makeValidator<ServiceArea>(parseServiceArea);

/** Reads and checks the environment of coverage-service. */
export const readCoverageEnv = () =>
  readEnv({
    PORT: port({ default: 3001, desc: 'port to listen on' }),
    DATABASE_REPLICA_URL: postgresUrl({
      default: undefined,
      desc: 'streaming replica for searches; unset: searches use the database itself',
    }),
    REPLICA_MAX_LAG_SECONDS: wholeNumber(1, 3_600, 10, 'lag above which the replica is not used'),
    IMPORT_MAX_BYTES: wholeNumber(1, 1_099_511_627_776, 1_073_741_824, 'largest import file, decompressed'),
    CHANGES_RETENTION_DAYS: wholeNumber(1, 3_650, 30, 'days for which the change feeds keep deletions'),
    ADDRESS_SCHEME: str({ default: undefined, desc: 'name of the register that address_id refers to, shown in the API document' }),
    ADDRESS_ID_PATTERN: pattern({ default: undefined, desc: 'regular expression that every address_id must match; unset: any text' }),
    QUALITY_TABLE: qualityTable({ default: DEFAULT_QUALITY_TABLE, desc: 'grades by distance in metres: A:10,B:50,...,F' }),
    PORTAL_ENABLED: bool({ default: false, devDefault: true, desc: 'whether the portal is served at /v2/cov/portal/' }),
    PORTAL_CLIENT_ID: str({ default: 'portal', desc: "the issuer's public client for the portal" }),
    PORTAL_EVENTS_URL: httpUrl({
      default: undefined,
      devDefault: 'http://127.0.0.1:3002',
      desc: 'scheme and host of the event API, for the portal; unset: those of the portal',
    }),
    PORTAL_MAP_STYLE_URL: httpUrl({ default: undefined, desc: 'MapLibre style for the portal; unset: the bundled background' }),
    RELATIONS: str({
      default: 'open',
      choices: ['open', 'registered'],
      desc: 'open: nodes may name any relation; registered: only one that their tenant has created',
    }),
    SEARCH_MAX_ROWS: wholeNumber(1, 10_000_000, 100_000, 'maximum number of rows in a file of places to search'),
    SPOOL_DIR: str({ default: tmpdir(), desc: 'folder that buffers incoming files' }),
    SPOOL_MAX_BYTES: wholeNumber(1, 1_099_511_627_776, 4_294_967_296, 'maximum number of bytes in SPOOL_DIR for all files of a process'),
    SERVICE_AREA: serviceArea({ default: undefined, desc: 'bounding box that new centers must be in: south,west,north,east in degrees' }),
  });

export type CoverageEnv = ReturnType<typeof readCoverageEnv>;

/** Injection token of the service's {@link CoverageEnv}. */
export const COVERAGE_ENV = Symbol('COVERAGE_ENV');
