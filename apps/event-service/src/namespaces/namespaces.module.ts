import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Namespace } from './namespace.entity.js';
import { NamespaceCleanUp } from './namespace-clean-up.js';
import { NamespacesRepository } from './namespaces.repository.js';
import { NamespacesService } from './namespaces.service.js';

/** Namespaces (SPEC section 4.4): the meaning of the `namespace` header, and the deletion of unused ones. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([Namespace])],
  providers: [NamespacesRepository, NamespacesService, NamespaceCleanUp],
  exports: [NamespacesService],
})
export class NamespacesModule {}
