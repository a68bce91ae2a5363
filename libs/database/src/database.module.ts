import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Database, type DatabaseOptions } from './database.js';
import { dataSourceOptions } from './connection/data-source.js';
import { Limits } from './limits/limit.js';
import { openDataSource, type OpenOptions } from './open-data-source.js';
import { ReadReplica, type ReplicaSettings } from './replica/read-replica.js';

/** The database settings of a service. */
export interface DatabaseSettings extends ReplicaSettings, DatabaseOptions, OpenOptions {
  /** A streaming replica of the database at `url`, for searches. */
  replicaUrl?: string;
}

/**
 * Provides `DataSource`, `Database` and `Limits` everywhere, and repositories for `@InjectRepository`. If the database does not respond in time or a
 * migration fails, startup fails with a one-line message. The pool closes after the last response.
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
          // openDataSource has already waited.
          useFactory: () => ({ ...options, toRetry: () => false }),
          dataSourceFactory: () => openDataSource(options, settings),
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
