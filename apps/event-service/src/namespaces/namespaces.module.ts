import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Namespace } from './namespace.entity.js';
import { NamespaceCleanUp } from './namespace-clean-up.js';
import { NamespacesRepository } from './namespaces.repository.js';
import { NAMESPACE_SETTINGS, type NamespaceSettings, NamespacesService } from './namespaces.service.js';

/** Namespaces (SPEC section 4.4): the meaning of the `namespace` header, and the deletion of unused ones. */
@Module({})
export class NamespacesModule {
  static forRoot(settings: NamespaceSettings): DynamicModule {
    return {
      module: NamespacesModule,
      global: true,
      imports: [TypeOrmModule.forFeature([Namespace])],
      providers: [NamespacesRepository, NamespacesService, NamespaceCleanUp, { provide: NAMESPACE_SETTINGS, useValue: settings }],
      exports: [NamespacesService],
    };
  }
}
