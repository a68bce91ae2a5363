import { type DynamicModule, type FactoryProvider, Module, type ModuleMetadata } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Database, type DatabaseOptions } from './database.js';
import { dataSourceOptions, type PostgresOptions } from './connection/data-source.js';
import { type OpenOptions, openDataSource } from './open-data-source.js';
import { ReadReplica, type ReplicaSettings } from './replica/read-replica.js';

const SETTINGS = Symbol('database settings');

/** The database settings of a service. */
export interface DatabaseSettings extends ReplicaSettings, DatabaseOptions {
  /** Run pending migrations at start; off where the deployment has its own migration step. */
  migrateOnStart: boolean;
  /** A streaming replica of the database at `url`, for searches. */
  replicaUrl?: string;
  /** Milliseconds to wait for the database at start. Default 30,000. */
  reachableWithinMs?: number;
}

/** Provides the settings. */
export interface DatabaseModuleOptions extends Pick<ModuleMetadata, 'imports'> {
  inject?: FactoryProvider['inject'];
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the type that Nest uses; only the caller knows what is injected
  useFactory: (...injected: any[]) => DatabaseSettings | Promise<DatabaseSettings>;
}

/**
 * Provides `DataSource` and `Database` everywhere, and repositories for `@InjectRepository`. If the database does not respond in time or a
 * migration fails, the start fails with one line. The pool closes after the last response.
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
      // The data source factory only receives TypeORM's options, so ours are among them.
      useFactory: (given: DatabaseSettings): PostgresOptions & OpenOptions & { toRetry: () => boolean } => ({
        ...dataSourceOptions(given),
        migrateOnStart: given.migrateOnStart,
        reachableWithinMs: given.reachableWithinMs,
        toRetry: () => false, // openDataSource has already waited
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
