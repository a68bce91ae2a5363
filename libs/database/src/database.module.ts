import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule, type TypeOrmModuleOptions } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Database, type DatabaseOptions } from './database.js';
import { dataSourceOptions } from './connection/data-source.js';
import { isDatabaseUnavailable } from './connection/database-errors.js';
import { Limits } from './limits/limits.js';
import { openDataSource } from './open-data-source.js';
import { ReadReplica, type ReplicaSettings } from './replica/read-replica.js';

/** The database settings of a service. */
export interface DatabaseSettings extends ReplicaSettings, DatabaseOptions, Pick<TypeOrmModuleOptions, 'retryAttempts'> {
  /** Whether to run pending migrations; off where the deployment has its own migration step. */
  migrateOnStart?: boolean;
  /** A streaming replica of the database at `url`, for searches. */
  replicaUrl?: string;
}

/**
 * Provides `DataSource`, `Database` and `Limits` everywhere, and repositories for `@InjectRepository`. While the database does not respond, Nest
 * tries again every three seconds. If that takes too long, a setting is wrong or a migration fails, startup fails with a one-line message. The
 * pool closes after the last response.
 */
@Module({})
export class DatabaseModule {
  static forRoot(settings: DatabaseSettings): DynamicModule {
    const options = dataSourceOptions(settings);
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: () => ({ ...options, retryAttempts: settings.retryAttempts, verboseRetryLog: true, toRetry: isDatabaseUnavailable }),
          dataSourceFactory: () => openDataSource(options, settings.migrateOnStart),
        }),
      ],
      providers: [
        { provide: ReadReplica, useFactory: () => settings.replicaUrl && new ReadReplica(settings.replicaUrl, settings) },
        {
          provide: Database,
          inject: [DataSource, ReadReplica, Limits],
          useFactory: (dataSource: DataSource, replica: ReadReplica | undefined, limits: Limits) =>
            new Database(dataSource, settings, replica, limits),
        },
        Limits,
      ],
      exports: [Database, Limits],
    };
  }
}
