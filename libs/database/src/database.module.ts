import { type DynamicModule, type FactoryProvider, Module, type ModuleMetadata } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Database, type DatabaseOptions } from './database.js';
import { dataSourceOptions, type PostgresOptions } from './connection/data-source.js';
import { type OpenOptions, openDataSource } from './open-data-source.js';
import { ReadReplica, type ReplicaSettings } from './replica/read-replica.js';

const SETTINGS = Symbol('database settings');

/** All that a service says about its database. */
export interface DatabaseSettings extends ReplicaSettings, DatabaseOptions {
  /** Run pending migrations before the service starts; off where a deployment runs them as a step of its own. */
  migrateOnStart: boolean;
  /** A streaming replica of the database at `url`, for searches. */
  replicaUrl?: string;
  /** Milliseconds that the service waits for its database when it starts. Default 30,000. */
  reachableWithinMs?: number;
}

/** Where the settings come from. */
export interface DatabaseModuleOptions extends Pick<ModuleMetadata, 'imports'> {
  inject?: FactoryProvider['inject'];
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as Nest types its factories: only the caller knows what is injected
  useFactory: (...injected: any[]) => DatabaseSettings | Promise<DatabaseSettings>;
}

/**
 * Provides `DataSource` and `Database` everywhere and what `@InjectRepository` needs. The start fails in one line when the
 * database does not come up in time or a migration fails; the pool closes after the last request was answered.
 */
@Module({})
export class DatabaseModule {
  static forRootAsync({ imports, inject, useFactory }: DatabaseModuleOptions): DynamicModule {
    const settings: DynamicModule = {
      module: class DatabaseSettingsModule {},
      imports,
      providers: [{ provide: SETTINGS, inject, useFactory }],
      exports: [SETTINGS],
    };
    const typeOrm = TypeOrmModule.forRootAsync({
      imports: [settings],
      inject: [SETTINGS],
      // The data source factory is given TypeORM's options and nothing else, so ours travel among them.
      useFactory: (given: DatabaseSettings): PostgresOptions & OpenOptions & { toRetry: () => boolean } => ({
        ...dataSourceOptions(given),
        migrateOnStart: given.migrateOnStart,
        reachableWithinMs: given.reachableWithinMs,
        toRetry: () => false, // openDataSource has been patient already
      }),
      dataSourceFactory: (options) => openDataSource(options as PostgresOptions, options as OpenOptions),
    });
    return {
      module: DatabaseModule,
      global: true,
      imports: [settings, typeOrm],
      providers: [
        {
          provide: ReadReplica,
          inject: [SETTINGS],
          useFactory: (given: DatabaseSettings) => given.replicaUrl && new ReadReplica(given.replicaUrl, given),
        },
        {
          provide: Database,
          inject: [DataSource, SETTINGS, ReadReplica],
          useFactory: (dataSource: DataSource, options: DatabaseSettings, replica?: ReadReplica) =>
            new Database(dataSource, options, replica),
        },
      ],
      exports: [Database],
    };
  }
}
