import type { DatabaseSettings, TenantRules } from '@fibre/database';
import { TIME_ZONE_RELEASE } from '@fibre/dto';
import type { DynamicModule } from '@nestjs/common';
import type { ApiDescription } from '../openapi/open-api.js';
import type { ServerEnv } from '../env/server.env.js';

/** A record, and the paths whose answers show it. */
export interface SampledRecord {
  readonly tenant: string;
  readonly paths: readonly string[];
}

/** Describes a service for the entry points and tests that start it. */
export interface ServiceDefinition<E extends ServerEnv> {
  readonly name: string;
  /** @throws ConfigurationError */
  readonly readEnv: () => E;
  readonly module: (env: E, databaseUrl: string) => DynamicModule;
  readonly api: ApiDescription;
  /** What the settings add to the description of the API. */
  readonly apiNote?: (env: E) => string | undefined;
  /** Database name in the embedded server. */
  readonly database: string;
  /** Entities and migrations. */
  readonly schema: Pick<DatabaseSettings, 'entities' | 'migrations'>;
  /** What to mind when a tenant leaves or arrives. */
  readonly tenants: TenantRules;
  /**
   * A statement for some {@link SampledRecord}s, whose answers a restored copy must repeat byte for byte.
   *
   * @param writtenBy an expression for the transaction that has written the row `t`, to be returned as `written_by`
   */
  readonly samples: (writtenBy: string) => string;
}

/** The API as this process and its settings describe it; the committed document has only what is true of every process. */
export function describedApi<E extends ServerEnv>({ api, apiNote }: ServiceDefinition<E>, env: E): ApiDescription {
  const zones = `Time zones are those of tz database ${TIME_ZONE_RELEASE}.`;
  return { ...api, description: [api.description, apiNote?.(env), zones].filter(Boolean).join('\n\n') };
}
