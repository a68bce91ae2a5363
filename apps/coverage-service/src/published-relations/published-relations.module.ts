import { Module } from '@nestjs/common';
import { PublishedRelationsController } from './published-relations.controller.js';
import { PublishedRelationsService } from './published-relations.service.js';

/** The relations of all tenants, as ISPs see them. */
@Module({ controllers: [PublishedRelationsController], providers: [PublishedRelationsService] })
export class PublishedRelationsModule {}
